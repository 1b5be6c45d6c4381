namespace Raven.Documents.Smuggler;

/// <summary>The kinds of data in a dump; the names are those that clients send.</summary>
[Flags]
public enum DumpSections
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>The record of the database: its settings, analyzers and sorters.</summary>
    DatabaseRecord = 1 << 0,

    /// <summary>The documents.</summary>
    Documents = 1 << 1,

    /// <summary>Revisions of documents.</summary>
    RevisionDocuments = 1 << 2,

    /// <summary>Attachments of documents and revisions.</summary>
    Attachments = 1 << 3,

    /// <summary>Deletions of documents and attachments.</summary>
    Tombstones = 1 << 4,

    /// <summary>Counters of documents.</summary>
    CounterGroups = 1 << 5,

    /// <summary>Definitions of indexes.</summary>
    Indexes = 1 << 6,

    /// <summary>Identities and their last values.</summary>
    Identities = 1 << 7,

    /// <summary>Compare-exchange values.</summary>
    CompareExchange = 1 << 8,

    /// <summary>Removals of compare-exchange values.</summary>
    CompareExchangeTombstones = 1 << 9,

    /// <summary>Definitions of subscriptions.</summary>
    Subscriptions = 1 << 10,

    /// <summary>Time series of documents.</summary>
    TimeSeries = 1 << 11,

    /// <summary>What clients export and import if they name nothing.</summary>
    Default = DatabaseRecord | Documents | RevisionDocuments | Attachments | CounterGroups | Indexes | Identities
        | CompareExchange | Subscriptions | TimeSeries,

    /// <summary>What belongs to the administrators of a database.</summary>
    OfAdministrators = DatabaseRecord | Indexes | Subscriptions,
}
