/** GET debug/storage/report; Structures only with details. */
export interface StorageReport {
  readonly Database: string;
  readonly PageSizeBytes: number;
  readonly Pages: number;
  readonly FreePages: number;
  readonly DataFileBytes: number;
  readonly JournalFileBytes: number;
  readonly JournalBacklogBytes: number;
  readonly ScratchUsedBytes: number;
  readonly Readers: number;
  readonly OldestReaderMilliseconds: number;
  readonly OldestReader: string | null;
  readonly JournalWriteMicrosecondsP50: number;
  readonly JournalWriteMicrosecondsP99: number;
  readonly WriteMicrosecondsP50?: number;
  readonly WriteMicrosecondsP99?: number;
  readonly Structures?: readonly Structure[];
}

/** A tree, a heap or a list of pages in the data file. */
export interface Structure {
  readonly Name: string;
  readonly Part: number;
  readonly Kind: string;
  readonly Entries: number;
  readonly Depth: number;
  readonly LeafPages: number;
  readonly BranchPages: number;
  readonly OverflowPages: number;
  readonly SizeInBytes: number;
  readonly Fill?: number;
}

/** The key of a structure in the picture, the table and the URL. */
export function structureKey(one: Structure): string {
  return `${one.Name}#${one.Part}`;
}

/** Which part of a database a structure is of. */
export function structureGroup(name: string): string {
  if (name.startsWith("Collection.")) {
    return name.split(".").slice(0, 2).join(".");
  }
  return name.split(".")[0] ?? name;
}

/** A part of a database with all that is of it. */
export interface StructureGroup {
  readonly name: string;
  readonly size: number;
  readonly structures: readonly Structure[];
}

/** The parts of a database, the largest first. */
export function structureGroups(structures: readonly Structure[]): readonly StructureGroup[] {
  const groups = new Map<string, Structure[]>();
  for (const one of structures) {
    const name = structureGroup(one.Name);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups]
    .map(([name, all]) => ({
      name,
      size: all.reduce((sum, one) => sum + one.SizeInBytes, 0),
      structures: [...all].sort((a, b) => b.SizeInBytes - a.SizeInBytes),
    }))
    .sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
}

/** How many parts have a color of their own. */
const COLORS = 4;

/** The color of each part: the largest have one of their own, the others share the last. */
export function groupColors(groups: readonly StructureGroup[]): ReadonlyMap<string, number> {
  return new Map(groups.map((group, at) => [group.name, Math.min(at, COLORS)]));
}
