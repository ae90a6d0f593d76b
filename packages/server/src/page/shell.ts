// The page before anything is known of the agents: the same bytes for everybody, so that nothing of theirs can be in it.

interface ShellParts {
  readonly style: string;
  readonly script: string;
}

export function toShell({ style, script }: ShellParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Agents</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<div class="page">
<header>
<h1>Agents</h1>
<p class="lead">Every agent here answers over plain HTTP: ask with an address or a body, read text, Markdown or JSON.</p>
<p class="quiet">For programs, the same is at <a href="openapi.json">openapi.json</a>.</p>
<p id="state" class="state" role="status">Reading what there is…</p>
<noscript><p>This page is made by a script from openapi.json; without scripts, read that.</p></noscript>
<form id="key" hidden>
<label>A key of this server
<input id="key-value" type="password" autocomplete="off" spellcheck="false" required></label>
<div class="row"><button>Show the agents</button></div>
<p class="quiet">It stays in the memory of this page, and is gone when you leave it.</p>
</form>
</header>
<div class="columns">
<nav id="nav" aria-label="On this page"></nav>
<main id="main" tabindex="-1"></main>
</div>
</div>
<script>${script}</script>
</body>
</html>
`;
}
