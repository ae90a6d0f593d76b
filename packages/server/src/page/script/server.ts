// Part of the page's script: what every server has: sessions, forms of answers, errors, statuses.

export const server = `
function showAsking(whole) {
  return make('section', { id: 'asking' },
    make('h2', {}, 'How to ask'),
    table('routes', [
      ['?q=', 'What you ask, with GET; with POST it is the body.'],
      ['?format=', 'text, markdown or json. Without it, the form that the agent has.'],
      ['?schema=', 'The JSON Schema that an answer in JSON has to keep; not needed where the agent has its own.'],
      ['budget', 'What the run may use at most, in a JSON body: { "text": "…", "budget": { "tokens": 20000, "timeMs": 60000 } }.'],
      ['Accept: text/event-stream', 'The answer as it is written: the events session, text, discard, progress and, at the end, outcome.'],
      ['Accept: application/vnd.ai-agent+json', 'The whole outcome: status, answer, usage, ledger and tree.'],
      ...(whole.security ? [['Authorization: Bearer …', 'Your key; x-api-key takes it too. The commands on this page read it from AI_AGENT_KEY.']] : []),
    ]),
    make('h3', { class: 'label' }, 'Headers of replies'),
    table('routes', Object.entries(whole.components.headers).map(([name, { description }]) => [name, description])));
}

function showSessions(whole, agents) {
  const [agent] = agents;
  const body = agent ? JSON.stringify({ agent: agent.name, input: agent.takesText ? agent.exampleText : JSON.parse(agent.exampleBody) }) : '';
  const start = { needsKey: Boolean(whole.security), address: new URL('v1/sessions', base).href, type: 'application/json', body };
  return make('section', { id: 'sessions' },
    make('h2', {}, 'Sessions'),
    make('p', {}, 'A run that a waiting request started ends with its connection. One that is started here belongs to none: it ends by itself, by stop or by cancel.'),
    agent ? make('div', {}, make('h3', { class: 'label' }, 'Start one'), example(curlPost(start), 'the command that starts a session')) : '',
    make('h3', { class: 'label' }, 'Routes'),
    routes(whole, 'sessions'));
}

function showServer(whole) {
  return make('section', { id: 'server' }, make('h2', {}, 'Server'), make('p', {}, whole.info.description), routes(whole, 'server'));
}

function showErrors(whole) {
  const shape = whole.components.schemas.Error;
  const statuses = Object.entries(whole.components.responses).map(([name, { description }]) => [name.replace('Failure', ''), description]);
  return make('section', { id: 'errors' },
    make('h2', {}, 'Errors and limits'),
    make('p', {}, 'Everything that goes wrong has one shape, and says what to do about it.'),
    make('h3', { class: 'label' }, 'The shape'),
    describe(whole, shape.properties.error),
    make('h3', { class: 'label' }, 'Statuses'),
    make('p', {}, 'A run that a limit stopped, or that ends with a question, is a 200: its status is named in the header x-ai-agent-status.'),
    table('', [['200', 'The answer.'], ['201', 'A session was started.'], ...statuses]),
    make('p', { class: 'quiet' }, 'With 429 and 503 the header Retry-After says how many seconds to wait.'));
}

function routes(whole, tag) {
  const rows = Object.entries(whole.paths).flatMap(([path, item]) => ['get', 'post']
    .filter((method) => item[method] && item[method].tags.includes(tag))
    .map((method) => [method.toUpperCase() + ' ' + path, item[method].summary]));
  return table('routes', rows);
}

function table(kind, rows) {
  return make('table', kind ? { class: kind } : {}, make('tbody', {}, rows.map(([name, text]) =>
    make('tr', {}, make('th', { scope: 'row' }, make('code', {}, name)), make('td', {}, text)))));
}
`;
