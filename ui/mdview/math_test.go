package mdview

import (
	"strings"
	"testing"
)

func TestMathText(t *testing.T) {
	for tex, want := range map[string]string{
		`E = mc^2`:                                       "E = mc²",
		`\alpha + \beta \le \gamma`:                      "α + β ≤ γ",
		`\sum_{i=1}^{n} x_i`:                             "∑ᵢ₌₁ⁿ xᵢ",
		`\int_0^\infty e^{-x^2}\,dx`:                     "∫₀^∞ e^(-x²) dx",
		`\frac{1}{2} + \frac{a+b}{c}`:                    "1/2 + (a+b)/c",
		`\sqrt{2}, \sqrt{a+b}, \sqrt[3]{x}`:              "√2, √(a+b), √[3]x",
		`f: A \to B`:                                     "f: A → B",
		`x \in \mathbb{R}^n`:                             "x ∈ ℝⁿ",
		`\frac{n}{2a} \sqrt{ab} \sqrt{x_1} \frac{1}{12}`: "n/(2a) √(ab) √x₁ 1/12",
		`e^{i\pi} + x_{Qmax}^{10} + x^{-n}`:              "e^(iπ) + x_(Qmax)¹⁰ + x⁻ⁿ",
		`\frac{n(n+1)}{2}`:                               "(n(n+1))/2",
		`\hat{x} \vec{v} \bar{ab}`:                       "x\u0302 v\u20d7 ab",
		`\left( \frac{a}{b} \right)`:                     "( a/b )",
		`\text{if } x > 0`:                               "if  x > 0",
		`\sin^2\theta + \cos^2 \theta`:                   "sin²θ + cos² θ",
		`\lim_{x \to 0} f'(x)`:                           "lim_(x → 0) f'(x)",
		`a_{ij}`:                                         "aᵢⱼ",
		`x_Q^{q}`:                                        "x_Q^q",
		`\begin{pmatrix} a & b \\ c & d\end{pmatrix}`:    "( a   b \n c   d)",
		`\nosuch{x}`:                                     `\nosuchx`,
		`50\%`:                                           "50%",
		`{a}}`:                                           "a}",
		`\`:                                              `\`,
		`x^`:                                             "x",
		``:                                               "",
	} {
		is(t, mathText(tex), want, tex)
	}
	deep := strings.Repeat("{", 200) + "x"
	is(t, mathText(deep), deep, "a formula that nests too deep")
}
