// In the place of `elkjs`, another way to lay out a diagram: larger than everything else together, and under a licence that is not ours. Diagrams that want it are shown as their source.

export default class NoLayout {
  layout(): never {
    throw new TypeError('This way to lay out a diagram is not here: leave "layout: elk" out.');
  }
}
