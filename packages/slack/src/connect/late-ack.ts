// Events are acknowledged when what they say is noted: what Slack was told to be heard it does not deliver again.

import type { App, ReceiverEvent } from '@slack/bolt';

/** For a receiver in the place of the app. Bolt acknowledges an event before anybody hears it; here that waits until all have. */
export function acknowledgingLate(app: App): App {
  const processEvent = async (received: ReceiverEvent): Promise<void> => {
    // Buttons, forms and commands are acknowledged by who hears them.
    if (received.body.event === undefined) return app.processEvent(received);
    try {
      await app.processEvent({ ...received, ack: async () => {} });
    } finally {
      await received.ack();
    }
  };
  return { processEvent } as unknown as App;
}
