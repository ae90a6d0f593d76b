// What goes with every request to Anthropic.

import type { Endpoint } from '../adapter.ts';
import { headersOf } from '../endpoint.ts';

export function headersTo(endpoint: Endpoint): Record<string, string> {
  const key: Record<string, string> = endpoint.apiKey === '' ? {} : { 'x-api-key': endpoint.apiKey };
  return headersOf(endpoint, { 'anthropic-version': '2023-06-01', ...key });
}
