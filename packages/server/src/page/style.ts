// How the page looks: one accent, room to read, light and dark, narrow and wide.

export const style = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --ink: #1d2125; --quiet: #5c646c; --line: #e3e4df; --edge: #9a9f98; --block: #f3f3ee; --accent: #0b6b5f; --on-accent: #fff; --bad: #a4262c;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181a; --ink: #e4e6e4; --quiet: #9aa3a8; --line: #2b3033; --edge: #646d72; --block: #1d2124; --accent: #6fd0bf; --on-accent: #0d1f1c; --bad: #f1908f; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 2rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
[hidden] { display: none !important; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.page { max-width: 72rem; margin: 0 auto; padding: 3.5rem 1.5rem 6rem; }
h1, h2, h3, h4 { line-height: 1.25; font-weight: 600; letter-spacing: -.01em; margin: 0; }
h1 { font-size: 2rem; letter-spacing: -.02em; }
h2 { font-size: 1.35rem; margin-bottom: 1rem; }
h3 { font-size: 1.35rem; }
h4, h3.label { font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); margin: 2rem 0 .6rem; }
p { margin: .5rem 0 0; max-width: 42rem; }
.lead { font-size: 1.1rem; color: var(--quiet); }
.quiet { color: var(--quiet); font-size: .9rem; }
code, pre, .mono { font-family: var(--mono); font-size: .875em; font-variant-ligatures: none; }
pre { margin: 0; padding: .9rem 1rem; background: var(--block); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; line-height: 1.55; font-size: .84rem; tab-size: 2; }
.columns { margin-top: 3rem; }
nav { margin-bottom: 2.5rem; font-size: .925rem; }
nav ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
nav li { padding: .15rem 0; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav p { margin: 0 0 .25rem; font-size: .8rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); font-weight: 600; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 4rem; }
  nav { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow-y: auto; }
}
main { min-width: 0; }
section { margin-bottom: 4rem; }
article { padding: 2.25rem 0 2.75rem; border-top: 1px solid var(--line); }
.usage { margin: 1rem 0 0; padding-left: 1rem; border-left: 2px solid var(--accent); color: var(--quiet); white-space: pre-wrap; }
.text { white-space: pre-wrap; }
.example { position: relative; margin-bottom: .6rem; }
.example pre { padding-right: 4.75rem; }
.copy { position: absolute; top: .5rem; right: .5rem; }
.fields { list-style: none; margin: 0; padding: 0; }
.fields .fields { margin-top: .35rem; padding-left: 1rem; border-left: 1px solid var(--line); }
.fields li { padding: .4rem 0; }
.fields > li + li { border-top: 1px solid var(--line); }
.fields .name { font-weight: 600; margin-right: .6rem; }
.fields .type { color: var(--quiet); }
.fields .must { color: var(--accent); font-size: .8rem; margin-left: .6rem; }
.fields p { margin: .1rem 0 0; font-size: .925rem; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--quiet); font-size: .9rem; }
summary:hover { color: var(--accent); }
details pre { margin-top: .6rem; max-height: 24rem; overflow: auto; }
form { display: grid; gap: .75rem; }
label { display: grid; gap: .3rem; font-size: .9rem; color: var(--quiet); }
textarea, select, input { width: 100%; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 6px; padding: .55rem .7rem; }
textarea { resize: vertical; min-height: 5.5rem; line-height: 1.5; font-size: .95rem; }
textarea.mono { font-size: .84rem; }
textarea:focus, select:focus, input:focus { outline: 2px solid var(--accent); outline-offset: -1px; border-color: transparent; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.row label { flex: 0 1 12rem; }
.row select, .row button { height: 2.6rem; padding-block: 0; }
button { font: inherit; font-size: .925rem; font-weight: 500; border: 1px solid transparent; border-radius: 6px; padding: .55rem 1.1rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
button.plain { background: transparent; color: var(--ink); border-color: var(--line); }
button.small { padding: .15rem .55rem; font-size: .78rem; background: var(--paper); }
button:disabled { opacity: .5; cursor: default; }
.answer { margin-top: .75rem; }
.answer pre:not(.mono) { font: inherit; font-size: .95rem; }
.answer form { margin-top: 1rem; }
.answer pre { max-height: 32rem; overflow: auto; }
.state { font-size: .9rem; color: var(--quiet); margin: .5rem 0; }
.bad { color: var(--bad); }
p + table { margin-top: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem 1rem .5rem 0; border-top: 1px solid var(--line); }
th { font-weight: 500; white-space: nowrap; }
td:last-child { padding-right: 0; }
#key { max-width: 28rem; margin-top: 2.5rem; }
@media (max-width: 40rem) {
  .page { padding: 2rem 1.1rem 4rem; }
  .routes tr { display: block; padding: .5rem 0; border-top: 1px solid var(--line); }
  .routes th, .routes td { display: block; border: 0; padding: .05rem 0; white-space: normal; }
}
`;
