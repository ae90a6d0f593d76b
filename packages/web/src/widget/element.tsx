// `<ai-agent-chat>`: a talk with one agent, in a page of somebody else. What it looks like inside is its own affair, but for the
// variables that the page sets.

import { createRoot, type Root } from 'react-dom/client';
import { Api } from '../server/api.ts';
import { Chat } from './chat.tsx';
import { Conversation } from './conversation.ts';
import { makeSheets } from './sheets.ts';
import { explainSilence } from './silence.ts';

// Whatever path the server is below: the folder of scripts is beside the script that the page has.
const here = import.meta.url;
const cameFrom = new URL('../', here);

/** Who visits: sessions belong to that, and it is gone with the page. */
const visitor = [...crypto.getRandomValues(new Uint8Array(16))]
  .map((byte) => byte.toString(16).padStart(2, '0'))
  .join('');

const sheets = makeSheets();

/** Attributes that say whom it talks to. */
const partners = ['agent', 'key', 'api-key', 'server'];

export class AiAgentChat extends HTMLElement {
  static readonly observedAttributes = ['placeholder', 'heading', 'greeting', 'launcher', ...partners];

  readonly #conversation = new Conversation(() => ({ api: this.#api(), agent: this.getAttribute('agent') ?? '' }), {
    onAnswer: (detail) => this.#announce('ai-agent-answer', detail),
    onError: (failure) => {
      // biome-ignore lint/suspicious/noConsole: visitors read other words, and the cause is for whoever built the page
      console.warn(`ai-agent-chat: ${failure.message} ${failure.remedy ?? ''} (${failure.code})`);
      this.#announce('ai-agent-error', { failure });
    },
    explain: (error) => explainSilence(error, { server: this.#server(), hasKey: this.#key() !== undefined }),
  });
  readonly #place: HTMLElement = document.createElement('div');
  #root: Root | undefined;

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [...sheets];
    this.#place.className = 'widget';
    shadow.append(this.#place);
  }

  /** Settles when it is answered, or has failed. */
  async ask(text: string): Promise<void> {
    await this.#conversation.ask(text);
  }

  /** Ends what it is doing with what there is. */
  stop(): void {
    void this.#conversation.stop();
  }

  /** Forgets what was said. */
  reset(): void {
    this.#conversation.reset();
  }

  connectedCallback(): void {
    this.#root ??= createRoot(this.#place);
    this.#draw();
    addEventListener('pagehide', this.#leave);
  }

  /** Where a page moves it to another place, it goes on. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      removeEventListener('pagehide', this.#leave);
      this.#leave();
      this.#root?.unmount();
      this.#root = undefined;
    });
  }

  /** What was said to one is not told to another. */
  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before !== now && partners.includes(name)) this.#conversation.reset();
    if (this.#root) this.#draw();
  }

  readonly #leave = () => this.#conversation.leave();

  #draw(): void {
    const wordOf = (name: string, usual = '') => this.getAttribute(name) ?? usual;
    this.#root?.render(
      <Chat
        conversation={this.#conversation}
        heading={wordOf('heading')}
        greeting={wordOf('greeting')}
        placeholder={wordOf('placeholder', 'Ask a question')}
        launcher={this.hasAttribute('launcher') ? wordOf('launcher') : undefined}
      />,
    );
  }

  #server(): URL {
    const named = this.getAttribute('server');
    if (named === null) return cameFrom;
    return new URL(named.endsWith('/') ? named : `${named}/`, document.baseURI);
  }

  /** `api-key` is for frameworks where `key` means something else. */
  #key(): string | undefined {
    return this.getAttribute('key') ?? this.getAttribute('api-key') ?? undefined;
  }

  #api(): Api {
    const key = this.#key();
    return new Api(this.#server(), { ...(key === undefined ? {} : { key }), headers: { 'x-ai-agent-user': visitor } });
  }

  #announce(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

if (!customElements.get('ai-agent-chat')) customElements.define('ai-agent-chat', AiAgentChat);
