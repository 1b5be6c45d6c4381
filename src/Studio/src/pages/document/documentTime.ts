/** A time that a person wrote, as the server reads it; undefined if it is none. Without a zone it is UTC. */
export function readTime(text: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,7})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim());
  if (!found) {
    return undefined;
  }
  const [, day, minute = "00:00", second = ":00", zone = "Z"] = found;
  if (Number.isNaN(Date.parse(`${day}T${minute}${second.slice(0, 7)}${zone}`))) {
    return undefined;
  }
  // What is smaller than a millisecond stays: versions are told apart by it.
  return zone === "Z"
    ? `${day}T${minute}${second}Z`
    : new Date(`${day}T${minute}${second.slice(0, 7)}${zone}`).toISOString();
}
