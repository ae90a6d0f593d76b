// By what words errors are told apart: the machine-readable ones of a body, in lower case, and those of its message.

interface Said {
  readonly message: string;
  readonly kinds: string;
}

const quotaKinds =
  /insufficient_(quota|balance|credits|funds)|exceeded_current_quota|billing|payment_required|credits_exhausted|arrearage/;

const quotaWords = new RegExp(
  [
    'insufficient (quota|balance|credits?|funds)',
    'credit balance is too low',
    'credits are depleted',
    'used all available credits',
    "(not|n['’]t) have any credits",
    'spend(ing)? limit',
    'specified api usage limits',
    'key limit exceeded',
    'requires billing',
    'extra usage is required',
    '余额不足',
  ].join('|'),
  'i',
);

/** There is nothing left to spend: no wait of ours changes that. */
export function isQuota(said: Said): boolean {
  return quotaKinds.test(said.kinds) || quotaWords.test(said.message) || isUsedUp(said);
}

/**
 * What is given for a day or more. Gemini names a wait of seconds beside it; whoever believed that would ask in vain until
 * midnight, and a pause would keep its other models waiting, which have quotas of their own.
 */
export function isUsedUp({ kinds, message }: Said): boolean {
  return /per(day|week|month)/.test(kinds) || (/resource_exhausted/.test(kinds) && /\blimit: 0\b/.test(message));
}

export function isRateLimit({ kinds }: Said): boolean {
  return /rate_?limit|too_many_requests|resource_exhausted/.test(kinds);
}

/** More than the limit of a whole minute in one request, which some call a rate limit: it can never pass. */
export function isTooLarge({ message }: Said): boolean {
  return /^\s*request too large\b/i.test(message);
}

export function isBadKey({ kinds, message }: Said): boolean {
  return (
    /(invalid|incorrect)_api_key|api_key_invalid/.test(kinds) ||
    /(invalid|incorrect) api key|api key (not valid|expired)/i.test(message)
  );
}

/** Who passes requests on may look at them first, and say no with a status that usually is about keys. */
export function isRefusal({ kinds, message }: Said): boolean {
  return (
    /content_filter|content_policy|responsible_?ai|flagged_input/.test(kinds) ||
    /\b(input|content|prompt) was flagged\b|requires moderation|\bflagged as (potentially )?violating\b/i.test(message)
  );
}
