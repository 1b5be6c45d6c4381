namespace Raven.Client.Documents.Smuggler;

/// <summary>The kinds of data of a database that an export writes and an import takes.</summary>
[Flags]
public enum DatabaseItemType
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>The documents.</summary>
    Documents = 1 << 0,

    /// <summary>Earlier versions of documents.</summary>
    RevisionDocuments = 1 << 1,

    /// <summary>The definitions of indexes; an administrator of the database exports and imports them.</summary>
    Indexes = 1 << 2,

    /// <summary>Identities and their last values.</summary>
    Identities = 1 << 3,

    /// <summary>Deletions of documents and attachments.</summary>
    Tombstones = 1 << 4,

    /// <summary>Compare-exchange values.</summary>
    CompareExchange = 1 << 5,

    /// <summary>Removals of compare-exchange values.</summary>
    CompareExchangeTombstones = 1 << 6,

    /// <summary>The settings of the database, its analyzers and sorters; an administrator of the database exports and
    /// imports them.</summary>
    DatabaseRecord = 1 << 7,

    /// <summary>Attachments of documents and revisions.</summary>
    Attachments = 1 << 8,

    /// <summary>Counters of documents.</summary>
    CounterGroups = 1 << 9,

    /// <summary>The definitions of subscriptions; an administrator of the database exports and imports them.</summary>
    Subscriptions = 1 << 10,

    /// <summary>Time series of documents.</summary>
    TimeSeries = 1 << 11,
}
