// A conversation with somebody else's idea of a model server (aimock, from
// npm), checked by that server's own journal: within an epoch every request
// has to extend the one before, message by message and byte by byte.
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

const server = new LLMock({ port: 0, logLevel: "silent" });
server.onMessage(/./, { content: "Noted: **forty** mugs.\n\n- one\n- two\n\n[NOTE TO SELF: they fire on Thursdays, see [[Kiln]]]" }, { chunkSize: 7 });
await server.start();

const lines = ["how many mugs fit in, by @Kiln?", "and when does it fire?", "is @Glaze safe for that?", "say it all again, with @Kiln and @Glaze"];
const status = await new Promise((done, fail) => {
  const child = spawn(ibid, ["--plain", "--vault", vault, "--base-url", server.url + "/v1", "--model", "gpt-4o", "--layout", "append", "--active", "off"], {
    stdio: ["pipe", "ignore", "inherit"],
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder, OPENAI_API_KEY: "none" },
  });
  child.on("error", fail).on("close", done);
  child.stdin.on("error", () => {}); // if it ended early, its status says so
  child.stdin.end(lines.join("\n") + "\n");
});

const requests = server.getRequests().filter((r) => r.path.endsWith("/chat/completions")).map((r) => r.body.messages);
await server.stop();

const problems = [];
if (status !== 0) problems.push(`ibid ended with status ${status}`);
if (requests.length !== lines.length) problems.push(`${requests.length} requests for ${lines.length} turns`);
requests.forEach((now, n) => {
  const said = now.at(-1)?.content;
  if (typeof said !== "string" || !said.endsWith(lines[n])) problems.push(`request ${n + 1} does not end with what was typed`);
  for (const [i, message] of (requests[n - 1] ?? []).entries()) {
    if (JSON.stringify(message) !== JSON.stringify(now[i])) problems.push(`request ${n + 1} changes message ${i + 1} of request ${n}`);
  }
});
for (const text of ["forty mugs and fires", "runs above 1240"]) {
  const times = JSON.stringify(requests.at(-1) ?? "").split(text).length - 1;
  if (times !== 1) problems.push(`the last request holds a note ${times} times: "${text}"`);
}
for (const p of problems) console.error("  " + p);
if (problems.length === 0) console.log(`  ${requests.length} requests, each extends the one before; every note is in there once`);
process.exitCode = problems.length ? 1 : 0;
