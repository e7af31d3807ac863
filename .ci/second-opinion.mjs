// A conversation with somebody else's idea of a model server (aimock, from
// npm), checked by that server's own journal: within an epoch every request
// has to extend the one before, message by message and byte by byte. Then chat,
// tools, rate limits, malformed replies and connections that break, in both
// protocols that it speaks.
//
//	node second-opinion.mjs IBID FOLDER   the program, and an empty folder
//
// aimock is found from the current folder. Ends with status 0 if all is well.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [ibid, folder] = process.argv.slice(2);
const found = createRequire(join(process.cwd(), "package.json")).resolve("@copilotkit/aimock");
const { LLMock } = await import(pathToFileURL(found).href);

const vault = join(folder, "vault");
mkdirSync(join(vault, ".obsidian"), { recursive: true });
writeFileSync(join(vault, "Kiln.md"), "# Kiln\n\nThe kiln holds forty mugs and fires on Thursdays.\n");
writeFileSync(join(vault, "Glaze.md"), "# Glaze\n\nThe grey glaze runs above 1240 degrees.\n");

const problems = [];

// run runs the program with these arguments and lines, and gives its status and what
// it wrote.
function run(args, lines, home = folder) {
  return new Promise((done, fail) => {
    const child = spawn(ibid, args, {
      stdio: [lines.length > 0 ? "pipe" : "ignore", "pipe", "pipe"], // an empty pipe would be an empty question
      env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home, OPENAI_API_KEY: "none", ANTHROPIC_API_KEY: "none" },
    });
    const said = { out: "", err: "" };
    child.stdout.on("data", (piece) => (said.out += piece));
    child.stderr.on("data", (piece) => (said.err += piece));
    child.on("error", fail).on("close", (status) => done({ status, ...said }));
    child.stdin?.on("error", () => {}); // if it ended early, its status says so
    child.stdin?.end(lines.join("\n") + "\n");
  });
}

// talk has a conversation of these lines with a server that answers as it was told,
// and gives the requests that the server got.
async function talk(name, teach, lines, flags) {
  const server = new LLMock({ port: 0, logLevel: "silent" });
  teach(server);
  await server.start();
  const { status, err } = await run(["--plain", "--vault", vault, "--base-url", server.url + "/v1", "--model", "gpt-4o", "--layout", "append", "--active", "off", ...flags], lines);
  if (status !== 0) console.error(err);
  const requests = server.getRequests().filter((r) => r.path.endsWith("/chat/completions")).map((r) => r.body);
  await server.stop();
  if (status !== 0) problems.push(`${name}: ibid ended with status ${status}`);
  return requests;
}

// extend notes what of a request is not in the next one.
function extend(name, before, now) {
  for (const [i, message] of before.messages.entries()) {
    if (JSON.stringify(message) !== JSON.stringify(now.messages[i])) problems.push(`${name} changes message ${i + 1} of the one before`);
  }
}

const lines = ["how many mugs fit in, by @Kiln?", "and when does it fire?", "is @Glaze safe for that?", "say it all again, with @Kiln and @Glaze"];
const reply = { content: "Noted: **forty** mugs.\n\n- one\n- two\n\n[NOTE TO SELF: they fire on Thursdays, see [[Kiln]]]" };
const chat = await talk("chat", (s) => s.onMessage(/./, reply, { chunkSize: 7 }), lines, ["--chain", "chat"]);
if (chat.length !== lines.length) problems.push(`${chat.length} requests for ${lines.length} turns`);
chat.forEach((now, n) => {
  const said = now.messages.at(-1)?.content;
  if (typeof said !== "string" || !said.endsWith(lines[n])) problems.push(`request ${n + 1} does not end with what was typed`);
  if (n > 0) extend(`request ${n + 1}`, chat[n - 1], now);
  if (now.tools) problems.push(`request ${n + 1} offers tools in the chain chat`);
});
for (const text of ["forty mugs and fires", "runs above 1240"]) {
  const times = JSON.stringify(chat.at(-1)?.messages ?? "").split(text).length - 1;
  if (times !== 1) problems.push(`the last request holds a note ${times} times: "${text}"`);
}

// A model that looks two things up at once, then reads a note, then answers.
const asks = ["what is there about mugs?", "thanks"];
const looks = (server) => {
  server.on({ userMessage: /mugs/, hasToolResult: false }, {
    toolCalls: [
      { id: "call_a", name: "localSearch", arguments: '{"query":"mugs in the kiln"}' },
      { id: "call_b", name: "search_workspace", arguments: '{"query":"glaze"}' },
    ],
  }, { chunkSize: 3 });
  server.onToolResult("call_b", { toolCalls: [{ id: "call_c", name: "readNote", arguments: '{"notePath":"Kiln.md"}' }] });
  server.onToolResult("call_c", { content: "Forty mugs [^1]." });
  server.onMessage(/thanks/, { content: "You are welcome." });
};
const agent = await talk("agent", looks, asks, []);
if (agent.length !== 4) problems.push(`${agent.length} requests where a model looks things up twice and answers twice`);
agent.forEach((now, n) => {
  if (JSON.stringify(now.tools) !== JSON.stringify(agent[0].tools) || !(now.tools?.length > 5)) problems.push(`agent: request ${n + 1} has another list of tools`);
  if ("tool_choice" in now) problems.push(`agent: request ${n + 1} has a tool_choice`);
  if (n === 1 || n === 2) extend(`agent: request ${n + 1}`, agent[n - 1], now);
});
const results = (agent[2]?.messages ?? []).filter((m) => m.role === "tool");
if (results.map((m) => m.tool_call_id).join() !== "call_a,call_b,call_c") problems.push("agent: the results are not those of the calls, in their order");
for (const text of ["<localSearch", "forty mugs", "Glaze.md"]) {
  if (!JSON.stringify(results).includes(text)) problems.push(`agent: no result holds "${text}"`);
}
const next = agent[3]?.messages ?? [];
if (next.some((m) => m.role === "tool" || m.tool_calls) || JSON.stringify(next).includes("forty mugs")) problems.push("agent: the next turn holds what tools have found");

// What a server may do to a question, and what has to come of it. Each case is a
// question of its own, which is asked in both protocols.
const cases = [
  {
    name: "chat", question: "say something plain",
    teach: (s) => s.onMessage(/plain/, { content: "Something **plain**, with a line\n\nand another." }, { chunkSize: 5 }),
    status: 0, out: /^Something \*\*plain\*\*, with a line\n\nand another\.\n$/,
  },
  {
    name: "thinking", question: "think first",
    teach: (s) => s.onMessage(/think/, { content: "Thought over.", reasoning: "Hidden considerations." }, { chunkSize: 5 }),
    status: 0, out: /^Thought over\.\n$/,
  },
  {
    name: "tools", question: "what is there about mugs?",
    teach: (s) => {
      s.on({ userMessage: /mugs/, hasToolResult: false }, { toolCalls: [{ id: "toolu_a", name: "readNote", arguments: '{"notePath":"Kiln.md"}' }] }, { chunkSize: 3 });
      s.on({ userMessage: /mugs/, hasToolResult: true }, { content: "Forty mugs." });
    },
    status: 0, out: /^Forty mugs/, err: /tool: Reading Kiln/, requests: 2, last: /holds forty mugs/,
  },
  {
    name: "rate limit", question: "are you busy?",
    teach: (s) => {
      s.on({ userMessage: /busy/, sequenceIndex: 0 }, { error: { message: "Too many of you", type: "rate_limit_error" }, status: 429, retryAfter: 1 });
      s.on({ userMessage: /busy/ }, { content: "Not any more." });
    },
    status: 0, out: /^Not any more\.\n$/, err: /Rate limited by .*, again in \d s, 1 of 3/, requests: 2,
  },
  {
    name: "refused", question: "may I?",
    teach: (s) => s.onMessage(/may I/, { error: { message: "Not from there", type: "permission_error" }, status: 403 }),
    status: 1, err: /does not allow this request \(403\)\..* It said: Not from there\./, requests: 1,
  },
  {
    name: "malformed", question: "speak clearly",
    teach: (s) => s.onMessage(/clearly/, { content: "never seen" }, { chaos: { malformedRate: 1 } }),
    status: 1, err: /^ibid: error: /m, not: /never seen/,
  },
  {
    name: "cut off", question: "tell a long story",
    teach: (s) => s.onMessage(/story/, { content: "Once upon a time there was a kiln that nobody could ever fill, and so it went." }, { chunkSize: 8, latency: 30, truncateAfterChunks: 5 }),
    status: 1, out: /^Once upon/, err: /Reply cut off after \d+ words? \(.*\)\. Text kept\./, requests: 1,
  },
  {
    name: "disconnected", question: "stay with me",
    teach: (s) => {
      s.on({ userMessage: /stay/, sequenceIndex: 0 }, { content: "never seen" }, { chaos: { disconnectRate: 1 } });
      s.on({ userMessage: /stay/ }, { content: "Here I am." });
    },
    status: 0, out: /^Here I am\.\n$/, requests: 2,
  },
];

// trial holds one case against the program in one protocol.
async function trial(c, protocol, path, flags) {
  const server = new LLMock({ port: 0, logLevel: "silent" });
  c.teach(server);
  await server.start();
  const home = join(folder, `${protocol}-${c.name}`.replace(" ", "-"));
  mkdirSync(home);
  const args = ["ask", "--vault", vault, "--no-save", "--active", "off", "--base-url", server.url + "/v1", ...flags, c.question];
  const { status, out, err } = await run(args, [], home);
  const requests = server.getRequests().filter((r) => r.path.endsWith(path));
  await server.stop();
  const wrong = (what) => problems.push(`${protocol}, ${c.name}: ${what}\n    status ${status}, ${requests.length} requests\n    ${out}\n    ${err}`);
  if (status !== c.status) wrong(`the status is not ${c.status}`);
  if (c.out && !c.out.test(out)) wrong(`standard output is not ${c.out}`);
  if (c.err && !c.err.test(err)) wrong(`standard error is not ${c.err}`);
  if (c.not && c.not.test(out + err)) wrong(`${c.not} is shown`);
  if (/Hidden considerations/.test(out)) wrong("the thinking is in the reply");
  if (c.requests && requests.length !== c.requests) wrong(`want ${c.requests} requests`);
  if (c.last && !c.last.test(JSON.stringify(requests.at(-1)?.body ?? ""))) wrong(`the last request does not hold ${c.last}`);
}

await Promise.all(cases.flatMap((c) => [
  trial(c, "openai", "/chat/completions", ["--model", "gpt-4o"]),
  trial(c, "anthropic", "/messages", ["--provider", "anthropic", "--model", "claude-sonnet-4-5"]),
]));

for (const p of problems) console.error("  " + p);
if (problems.length === 0) console.log(`  ${chat.length} requests, each extends the one before, every note is in there once; ${agent.length} of a model that looks things up; ${cases.length} cases in each of two protocols`);
process.exitCode = problems.length ? 1 : 0;
