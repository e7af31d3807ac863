package mdview

// mathSigns are the commands that stand for a sign, the name of a function, or space.
var mathSigns = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
	"theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
	"varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "ϕ",
	"varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
	"Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "sum": "∑", "prod": "∏",
	"coprod": "∐", "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "partial": "∂", "nabla": "∇", "infty": "∞",
	"hbar": "ℏ", "ell": "ℓ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥",
	"geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃",
	"cong": "≅", "propto": "∝", "ll": "≪", "gg": "≫", "doteq": "≐", "triangleq": "≜", "coloneqq": "≔", "prec": "≺",
	"succ": "≻", "preceq": "⪯", "succeq": "⪰", "parallel": "∥", "perp": "⊥", "mid": "∣", "asymp": "≍", "models": "⊨",
	"vdash": "⊢", "dashv": "⊣", "to": "→", "rightarrow": "→", "longrightarrow": "⟶", "leftarrow": "←", "gets": "←",
	"longleftarrow": "⟵", "leftrightarrow": "↔", "Rightarrow": "⇒", "implies": "⟹", "Longrightarrow": "⟹",
	"Leftarrow": "⇐", "Leftrightarrow": "⇔", "iff": "⟺", "mapsto": "↦", "longmapsto": "⟼", "uparrow": "↑",
	"downarrow": "↓", "updownarrow": "↕", "hookrightarrow": "↪", "hookleftarrow": "↩", "rightharpoonup": "⇀",
	"rightleftharpoons": "⇌", "nearrow": "↗", "searrow": "↘", "swarrow": "↙", "nwarrow": "↖", "in": "∈", "notin": "∉",
	"ni": "∋", "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "subsetneq": "⊊", "cup": "∪", "cap": "∩",
	"bigcup": "⋃", "bigcap": "⋂", "setminus": "∖", "emptyset": "∅", "varnothing": "∅", "forall": "∀", "exists": "∃",
	"nexists": "∄", "neg": "¬", "lnot": "¬", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "bigwedge": "⋀",
	"bigvee": "⋁", "top": "⊤", "bot": "⊥", "therefore": "∴", "because": "∵", "pm": "±", "mp": "∓", "times": "×",
	"div": "÷", "cdot": "·", "bullet": "∙", "circ": "∘", "ast": "∗", "star": "⋆", "oplus": "⊕", "ominus": "⊖",
	"otimes": "⊗", "odot": "⊙", "bigoplus": "⨁", "bigotimes": "⨂", "dagger": "†", "ddagger": "‡", "amalg": "⨿",
	"sqcup": "⊔", "sqcap": "⊓", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "dotsc": "…",
	"dotsb": "⋯", "prime": "′", "degree": "°", "angle": "∠", "triangle": "△", "square": "□", "Box": "□",
	"blacksquare": "■", "qed": "□", "checkmark": "✓", "surd": "√", "langle": "⟨", "rangle": "⟩", "lceil": "⌈",
	"rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "lvert": "|", "rvert": "|", "vert": "|", "lVert": "‖", "rVert": "‖",
	"Vert": "‖", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "backslash": "\\", "colon": ":",
	"sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "arcsin": "arcsin",
	"arccos": "arccos", "arctan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "log": "log", "ln": "ln",
	"lg": "lg", "exp": "exp", "lim": "lim", "limsup": "limsup", "liminf": "liminf", "max": "max", "min": "min",
	"sup": "sup", "inf": "inf", "argmax": "argmax", "argmin": "argmin", "det": "det", "dim": "dim", "ker": "ker",
	"gcd": "gcd", "deg": "deg", "arg": "arg", "hom": "hom", "Pr": "Pr", "bmod": "mod", "mod": "mod", "tr": "tr",
	"rank": "rank", ",": " ", ";": " ", ":": " ", "!": "", " ": " ", ">": " ", "quad": "  ", "qquad": "    ",
	"\\": "\n", "newline": "\n", "{": "{", "}": "}", "%": "%", "$": "$", "_": "_", "#": "#", "&": "&", "|": "‖",
	"left": "", "right": "", "middle": "", "big": "", "Big": "", "bigg": "", "Bigg": "", "bigl": "", "bigr": "",
	"Bigl": "", "Bigr": "", "biggl": "", "biggr": "", "displaystyle": "", "textstyle": "", "limits": "", "nolimits": "",
	"hline": "", "nonumber": "", "notag": "",
}

// mathPlain are the commands that change how what they apply to looks.
var mathPlain = map[string]bool{
	"text": true, "textrm": true, "textbf": true, "textit": true, "texttt": true, "textsf": true, "mbox": true,
	"mathrm": true, "mathbf": true, "mathit": true, "mathsf": true, "mathtt": true, "mathcal": true, "mathscr": true,
	"mathfrak": true, "boldsymbol": true, "bm": true, "operatorname": true, "overline": true, "underline": true,
	"boxed": true, "underbrace": true, "overbrace": true, "phantom": true, "mathop": true, "mathbin": true, "mathrel": true,
}

// mathAccents stand above one character.
var mathAccents = map[string]string{
	"hat": "\u0302", "widehat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "widetilde": "\u0303",
	"vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c", "acute": "\u0301", "grave": "\u0300",
}

// mathDouble are the letters of number sets.
var mathDouble = map[string]string{
	"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "H": "ℍ", "E": "𝔼", "F": "𝔽", "1": "𝟙",
}

// mathRows are what stands around rows of a formula.
var mathRows = map[string]string{
	"begin pmatrix": "(", "end pmatrix": ")", "begin bmatrix": "[", "end bmatrix": "]",
	"begin vmatrix": "|", "end vmatrix": "|", "begin Vmatrix": "‖", "end Vmatrix": "‖",
	"begin Bmatrix": "{", "end Bmatrix": "}", "begin cases": "{ ",
}

// superscripts are the characters that have a high form.
var superscripts = map[rune]rune{
	'0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹', '+': '⁺',
	'-': '⁻', '=': '⁼', '(': '⁽', ')': '⁾', 'a': 'ᵃ', 'b': 'ᵇ', 'c': 'ᶜ', 'd': 'ᵈ', 'e': 'ᵉ', 'f': 'ᶠ', 'g': 'ᵍ',
	'h': 'ʰ', 'i': 'ⁱ', 'j': 'ʲ', 'k': 'ᵏ', 'l': 'ˡ', 'm': 'ᵐ', 'n': 'ⁿ', 'o': 'ᵒ', 'p': 'ᵖ', 'r': 'ʳ', 's': 'ˢ',
	't': 'ᵗ', 'u': 'ᵘ', 'v': 'ᵛ', 'w': 'ʷ', 'x': 'ˣ', 'y': 'ʸ', 'z': 'ᶻ', 'A': 'ᴬ', 'B': 'ᴮ', 'D': 'ᴰ', 'E': 'ᴱ',
	'G': 'ᴳ', 'H': 'ᴴ', 'I': 'ᴵ', 'J': 'ᴶ', 'K': 'ᴷ', 'L': 'ᴸ', 'M': 'ᴹ', 'N': 'ᴺ', 'O': 'ᴼ', 'P': 'ᴾ', 'R': 'ᴿ',
	'T': 'ᵀ', 'U': 'ᵁ', 'V': 'ⱽ', 'W': 'ᵂ', '−': '⁻', 'β': 'ᵝ', 'γ': 'ᵞ', 'δ': 'ᵟ', 'θ': 'ᶿ', 'φ': 'ᵠ', 'χ': 'ᵡ',
	' ': ' ',
}

// subscripts are the characters that have a low form.
var subscripts = map[rune]rune{
	'0': '₀', '1': '₁', '2': '₂', '3': '₃', '4': '₄', '5': '₅', '6': '₆', '7': '₇', '8': '₈', '9': '₉', '+': '₊',
	'-': '₋', '=': '₌', '(': '₍', ')': '₎', 'a': 'ₐ', 'e': 'ₑ', 'h': 'ₕ', 'i': 'ᵢ', 'j': 'ⱼ', 'k': 'ₖ', 'l': 'ₗ',
	'm': 'ₘ', 'n': 'ₙ', 'o': 'ₒ', 'p': 'ₚ', 'r': 'ᵣ', 's': 'ₛ', 't': 'ₜ', 'u': 'ᵤ', 'v': 'ᵥ', 'x': 'ₓ', 'β': 'ᵦ',
	'γ': 'ᵧ', 'ρ': 'ᵨ', 'φ': 'ᵩ', 'χ': 'ᵪ', ' ': ' ',
}
