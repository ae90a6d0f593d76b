// Part of the page's script: the form that asks an agent, and shows its answer while it comes.

export const tryIt = String.raw`
/** onForm is told in which form the answer is wanted, whenever that changes. */
function tryForm(agent, onForm) {
  const input = make('textarea', { spellcheck: 'false', ...(agent.takesText ? {} : { class: 'mono' }) });
  input.value = agent.takesText ? agent.usage : agent.exampleBody;
  input.rows = Math.min(12, Math.max(3, input.value.split('\n').length));
  const format = make('select', {}, [['', 'as the agent says'], ['text', 'text'], ['markdown', 'Markdown'], ['json', 'JSON']]
    .map(([value, label]) => make('option', { value }, label)));
  const schema = make('textarea', { rows: '3', class: 'mono', spellcheck: 'false' });
  const schemaLabel = make('label', { hidden: '' }, 'The JSON Schema that the answer has to keep', schema);
  const formNow = () => ({ format: format.value, schema: schemaLabel.hidden ? '' : schema.value });
  format.addEventListener('change', () => {
    schemaLabel.hidden = format.value !== 'json' || agent.answersJson;
    onForm(formNow());
  });
  schema.addEventListener('input', () => onForm(formNow()));
  const ask = make('button', {}, 'Ask');
  const stop = make('button', { type: 'button', class: 'plain', hidden: '' }, 'Stop');
  const state = make('p', { class: 'state', role: 'status' });
  const answer = make('pre', { tabindex: '0', hidden: '', 'aria-label': 'The answer' });
  const form = make('form', {},
    make('label', {}, agent.takesText ? 'What do you ask?' : 'What do you ask, as JSON?', input),
    schemaLabel,
    make('div', { class: 'row' }, make('label', {}, 'Answer', format), ask, stop));
  const next = make('div', {});
  const view = { state, answer, ask, stop, next };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const asked = { input: input.value, ...formNow() };
    void run(view, (signal) => send(agent, asked, signal));
  });
  return make('div', {}, form, make('div', { class: 'answer' }, state, answer, next));
}

async function run(view, request) {
  const { state, answer, ask, stop, next } = view;
  const gone = new AbortController();
  const leave = () => gone.abort();
  const say = (text, isBad) => { state.textContent = text; state.classList.toggle('bad', Boolean(isBad)); };
  stop.addEventListener('click', leave, { once: true });
  ask.disabled = true;
  stop.hidden = false;
  answer.hidden = true;
  answer.textContent = '';
  next.replaceChildren();
  say('Asking…');
  try {
    const outcome = await follow(await request(gone.signal), { answer, say });
    if (outcome && outcome.question) next.replaceChildren(replyForm(view, outcome));
  } catch (error) {
    say(gone.signal.aborted ? 'Stopped.' : 'It could not be asked: ' + error.message, !gone.signal.aborted);
  } finally {
    stop.removeEventListener('click', leave);
    ask.disabled = false;
    stop.hidden = true;
  }
}

function send(agent, { input, format, schema }, signal) {
  const address = withForm(agent.address, { format, schema });
  const headers = { ...keyHeaders(), accept: 'text/event-stream', 'content-type': agent.takesText ? 'text/plain' : 'application/json' };
  return fetch(address, { method: 'POST', headers, body: input, signal });
}

function withForm(address, { format, schema }) {
  const url = new URL(address);
  if (format) url.searchParams.set('format', format);
  if (schema.trim()) url.searchParams.set('schema', schema);
  return url;
}

/** A session that ended with a question goes on when that is answered. */
function replyForm(view, { sessionId, question }) {
  const reply = make('textarea', { rows: '2', required: '' });
  const form = make('form', {}, make('label', {}, question.type === 'approval' ? 'Yes or no?' : 'Your answer', reply),
    make('div', { class: 'row' }, make('button', {}, 'Answer')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const address = new URL('v1/sessions/' + encodeURIComponent(sessionId) + '/answer', base);
    const headers = { ...keyHeaders(), accept: 'text/event-stream', 'content-type': 'application/json' };
    const body = JSON.stringify({ answer: reply.value, wait: true });
    void run(view, (signal) => fetch(address, { method: 'POST', headers, body, signal }));
  });
  return form;
}

async function follow(response, { answer, say }) {
  const type = response.headers.get('content-type') || '';
  if (!response.ok || !type.startsWith('text/event-stream')) {
    say(await failureText(response), !response.ok);
    return undefined;
  }
  const show = (text, isJson) => {
    answer.hidden = text === '';
    answer.classList.toggle('mono', Boolean(isJson));
    answer.textContent = text;
  };
  let outcome;
  for await (const { name, data } of eventsOf(response.body)) {
    if (name === 'text') show(answer.textContent + data.text);
    if (name === 'discard') show('');
    if (name === 'progress') say([data.instance || data.agent, data.toolInstance, data.title, data.status].filter(Boolean).join(' · '));
    if (name !== 'outcome') continue;
    outcome = data;
    tellOutcome(data, { show, say, shown: answer.textContent });
  }
  if (!outcome) say('The connection ended before the answer did.', true);
  return outcome;
}

function tellOutcome(outcome, { show, say, shown }) {
  const { status, report, text, failure, question, limit, incomplete, sessionId } = outcome;
  if (report !== undefined && typeof report !== 'string') show(toJson(report), true);
  else if (shown === '' && text) show(text);
  if (question) show([question.text, ...(question.choices || []).map((choice) => '- ' + choice)].join('\n'));
  if (failure) say(failure.message + ' ' + failure.remedy, true);
  else say([status.replaceAll('_', ' '), limit ? 'limit: ' + limit : '', missingWords(incomplete || []), 'session ' + sessionId].filter(Boolean).join(' · '));
}

function missingWords(children) {
  const words = children.map(({ path, status, limit }) => path.split(':').at(-1) + ' ' + (limit ? 'cut off by ' + limit : status));
  return words.length === 0 ? '' : 'incomplete: ' + words.join(', ');
}

async function failureText(response) {
  try {
    const { error } = await response.json();
    return response.status + ': ' + error.message + ' ' + error.remedy;
  } catch {
    return 'The server answered with status ' + response.status + '.';
  }
}
`;
