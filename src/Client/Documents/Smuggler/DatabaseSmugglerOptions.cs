namespace Raven.Client.Documents.Smuggler;

/// <summary>What an export writes, or an import takes.</summary>
public abstract class DatabaseSmugglerOptions
{
    /// <summary>The kinds of data that are meant if nothing is said.</summary>
    public const DatabaseItemType DefaultOperateOnTypes =
        DatabaseItemType.Documents | DatabaseItemType.RevisionDocuments | DatabaseItemType.Indexes
        | DatabaseItemType.Identities | DatabaseItemType.CompareExchange | DatabaseItemType.DatabaseRecord
        | DatabaseItemType.Attachments | DatabaseItemType.CounterGroups | DatabaseItemType.Subscriptions
        | DatabaseItemType.TimeSeries;

    private protected DatabaseSmugglerOptions()
    {
    }

    /// <summary>The kinds of data.</summary>
    public DatabaseItemType OperateOnTypes { get; set; } = DefaultOperateOnTypes;

    /// <summary>The collections of documents, revisions and counters; empty for all.</summary>
    public IList<string> Collections { get; } = [];

    /// <summary>Whether documents that have expired are taken, too.</summary>
    public bool IncludeExpired { get; set; } = true;

    /// <summary>Whether documents that an index has written are taken, too.</summary>
    public bool IncludeArtificial { get; set; }

    /// <summary>Whether archived documents are taken, too.</summary>
    public bool IncludeArchived { get; set; } = true;

    /// <summary>Whether the fields of indexes lose their analyzers.</summary>
    public bool RemoveAnalyzers { get; set; }

    /// <summary>A JavaScript that runs on each document: <c>this</c> is the document, <c>throw 'skip'</c> leaves it
    /// out.</summary>
    public string? TransformScript { get; set; }

    /// <summary>The steps that the script may take for one document.</summary>
    public int MaxStepsForTransformScript { get; set; } = 10_000;
}

/// <summary>What an export writes.</summary>
public sealed class DatabaseSmugglerExportOptions : DatabaseSmugglerOptions
{
    /// <summary>How the dump is compressed.</summary>
    public ExportCompressionAlgorithm CompressionAlgorithm { get; set; }

    /// <summary>Whether the export goes on behind what cannot be read of a damaged database.</summary>
    public bool SkipCorruptedData { get; set; }

    /// <summary>The documents that are read in a second; null for as many as the server can.</summary>
    public int? MaxReadOpsPerSecond { get; set; }
}

/// <summary>What an import takes.</summary>
public sealed class DatabaseSmugglerImportOptions : DatabaseSmugglerOptions;
