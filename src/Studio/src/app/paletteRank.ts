/** What the palette can find by its name. */
export interface PaletteItem {
  readonly title: string;
  readonly kind: string;
}

/** The items whose title has all words of a text, those that begin with it first; without a text, all of them. */
export function rankItems<T extends PaletteItem>(items: readonly T[], text: string): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = words.join(" ");
  return items
    .map((item, place) => ({ item, place, score: scoreOf(item.title.toLowerCase(), words, whole) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .map(({ item }) => item);
}

function scoreOf(title: string, words: readonly string[], whole: string): number {
  if (!words.every((word) => title.includes(word))) {
    return 0;
  }
  return title === whole
    ? 4
    : title.startsWith(whole)
      ? 3
      : title.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(words[0] ?? ""))
        ? 2
        : 1;
}
