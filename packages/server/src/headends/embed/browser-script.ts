// The source of `AiAgentChat`: small, without dependencies, a plain script that puts one name on the page.

export const script = `"use strict";
// new AiAgentChat({ endpoint, agentId, format, clientId, key, onEvent, maxHistoryPairs, maxInputBytes })
// ask(text) settles with { success, report, status, sessionId }; abort() ends what runs; reset() forgets the talk.
class AiAgentChat {
  #options;
  #clientId;
  #session;
  #history = [];
  #running;

  constructor(options = {}) {
    this.#options = { maxHistoryPairs: 5, maxInputBytes: 10240, onEvent: () => {}, ...options };
    this.#options.endpoint ??= AiAgentChat.#endpoint;
    this.#clientId = options.clientId;
  }

  static #endpoint = new URL("v1/chat", document.currentScript?.src ?? location.href).href;

  get clientId() {
    return this.#clientId;
  }

  async ask(text) {
    const message = String(text).trim();
    const { endpoint, agentId, format, key, maxInputBytes } = this.#options;
    if (message === "") this.#fail("invalid_message", "There is nothing to ask.");
    if (new TextEncoder().encode(message).length > maxInputBytes) this.#fail("invalid_message", "The message is too long.");
    if (this.#running) this.#fail("invalid_message", "The last message is not answered yet.");
    const running = new AbortController();
    this.#running = running;
    const came = { success: false, report: "", status: "", sessionId: this.#session };
    try {
      const headers = { "content-type": "application/json", ...(key ? { authorization: "Bearer " + key } : {}) };
      const said = { message, clientId: this.#clientId, agentId, format, session: this.#session, history: this.#history };
      const body = JSON.stringify(said);
      const response = await fetch(endpoint, { method: "POST", headers, body, signal: running.signal });
      if (!response.ok) {
        const { error, message: why } = await response.json().catch(() => ({}));
        // What was kept there is gone: the next message begins with what is remembered here.
        if (error === "not_found") this.#session = undefined;
        this.#fail(error ?? "http_" + response.status, why ?? response.statusText);
      }
      for await (const { event, data } of AiAgentChat.#read(response.body)) this.#hear(event, data, came);
      if (came.status === "") this.#fail("connection_lost", "The answer broke off.");
      this.#remember(message, came.report);
      this.#tell("turn", { user: message, assistant: came.report });
      return came;
    } catch (error) {
      if (typeof error.code === "string") throw error;
      if (running.signal.aborted) throw AiAgentChat.#toError("aborted", "It was ended before it was answered.");
      this.#fail("connection_lost", "The server does not answer, or not to this page.");
    } finally {
      if (this.#running === running) this.#running = undefined;
    }
  }

  /** The server ends the run when it is gone. */
  abort() {
    this.#running?.abort();
    this.#running = undefined;
  }

  reset() {
    this.abort();
    this.#history = [];
    this.#session = undefined;
  }

  #hear(event, data, came) {
    if (event === "client") this.#clientId = data.clientId;
    if (event === "meta") came.sessionId = this.#session = data.session;
    if (event === "report") came.report += data.chunk;
    if (event === "done") Object.assign(came, { success: data.success, status: data.status });
    this.#tell(event, data);
    if (event === "error") throw AiAgentChat.#toError(data.code, data.message, data.recoverable);
  }

  #fail(code, message) {
    this.#tell("error", { code, message, recoverable: false });
    throw AiAgentChat.#toError(code, message);
  }

  static #toError(code, message, recoverable = false) {
    return Object.assign(new Error(message), { code, recoverable });
  }

  /** What the page makes of it is its own affair: when it throws, the chat goes on. */
  #tell(type, data) {
    try {
      this.#options.onEvent({ ...data, type });
    } catch (error) {
      void Promise.reject(error);
    }
  }

  #remember(user, assistant) {
    this.#history.push({ role: "user", content: user }, { role: "assistant", content: assistant });
    const most = 2 * this.#options.maxHistoryPairs;
    this.#history = most > 0 ? this.#history.slice(-most) : [];
  }

  static async *#read(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const frames = (rest + value).split("\\n\\n");
        rest = frames.pop();
        for (const frame of frames) {
          const field = (name) => frame.split("\\n").find((line) => line.startsWith(name + ": "))?.slice(name.length + 2);
          if (field("data") !== undefined) yield { event: field("event"), data: JSON.parse(field("data")) };
        }
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }
}
globalThis.AiAgentChat = AiAgentChat;
`;
