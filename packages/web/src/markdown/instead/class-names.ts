// Stands in for `tailwind-merge` when the page is bundled: none of its classes are used here, so there is nothing to merge.

export function twMerge(names: string): string {
  return names;
}
