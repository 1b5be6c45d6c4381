// Answers of the server, as far as they are read here. Documents are not among them: they stay texts.

/** GET /studio/databases */
export interface DatabaseList {
  readonly TotalResults: number;
  readonly Start: number;
  readonly Databases: readonly DatabaseRow[];
}

/** A database of the list; what only an open one knows is null. */
export interface DatabaseRow {
  readonly Name: string;
  readonly State: "Open" | "Closed" | "Disabled" | "Faulted" | "Elsewhere";
  readonly IsDisabled: boolean;
  readonly Fault: string | null;
  readonly SizeBytes: number | null;
  readonly Documents: number | null;
  readonly Indexes: number | null;
  readonly StaleIndexes: number | null;
  readonly FaultyIndexes: number | null;
  /** The nodes of a cluster that have it, the primary first; null on a server by itself. */
  readonly Nodes?: readonly RowNode[] | null;
}

/** A node that has a database. */
export interface RowNode {
  readonly NodeTag: string;
  readonly Role: "None" | "Primary" | "Member" | "Rehab" | "Promotable";
  readonly IsAlive: boolean;
}

/** GET /topology */
export interface Topology {
  readonly Nodes: readonly TopologyNode[];
  readonly Promotables?: readonly TopologyNode[];
}

/** A node as clients are told of it. */
export interface TopologyNode {
  readonly Url: string;
  readonly ClusterTag: string;
  readonly ServerRole: string;
}

/** GET collections/stats */
export interface CollectionCounts {
  readonly CountOfDocuments: number;
  readonly Collections: Readonly<Record<string, number>>;
}

/** GET studio/collections/fields */
export interface CollectionFields {
  readonly Fields: readonly {
    readonly Path: string;
    readonly Share: number;
    readonly Kinds: Readonly<Record<string, number>>;
    readonly Example: unknown;
  }[];
}

/** POST studio/queries/check */
export interface QueryCheck {
  readonly Error: { Message: string; Line: number; Column: number; Position: number } | null;
  readonly Source: { Kind: string; Name: string } | null;
  readonly Fields: readonly string[];
  readonly Parameters: readonly { Name: string; IsGiven: boolean }[];
  readonly Index: {
    Kind: "Documents" | "Auto" | "Static";
    Name: string | null;
    Exists: boolean;
    IsStale: boolean | null;
    Behind: number | null;
    Reason: string | null;
  } | null;
}

/** GET indexes/stats */
export interface IndexStats {
  readonly Name: string;
  readonly Type: string;
  readonly State: string;
  readonly Status: string;
  readonly IsStale: boolean;
  readonly EntriesCount: number;
  readonly ErrorsCount: number;
  readonly LockMode: string;
  readonly Priority: string;
  readonly LastQueryingTime: string | null;
  readonly LastIndexingTime: string | null;
  readonly CreatedTimestamp: string | null;
  readonly Collections: Readonly<Record<string, { DocumentLag: number }>> | null;
  readonly BehindSince?: string | null;
  readonly SourceType?: string;
}

/** GET indexes */
export interface IndexDefinition {
  readonly Name: string;
  readonly Maps: readonly string[];
  readonly Reduce: string | null;
  readonly Fields: Readonly<Record<string, unknown>> | null;
  readonly Type: string;
  readonly SourceType?: string;
  readonly LockMode: string | null;
  readonly Priority: string | null;
}

/** GET indexes/errors */
export interface IndexErrors {
  readonly Name: string;
  readonly Errors: readonly { Timestamp: string; Document: string | null; Action: string; Error: string }[];
}

/** GET stats */
export interface DatabaseStats {
  readonly CountOfDocuments: number;
  readonly CountOfIndexes: number;
  readonly LastDocEtag: number | null;
  readonly DatabaseChangeVector: string | null;
  readonly Indexes: readonly { Name: string; IsStale: boolean; State: string; LastIndexingTime: string | null }[];
}
