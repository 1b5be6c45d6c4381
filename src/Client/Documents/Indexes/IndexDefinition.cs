namespace Raven.Client.Documents.Indexes;

/// <summary>An index as the server takes it.</summary>
public sealed class IndexDefinition
{
    /// <summary>The name in <see cref="Fields"/> that stands for all fields.</summary>
    public const string AllFields = "__all_fields";

    /// <summary>Its name.</summary>
    public string Name { get; set; } = "";

    /// <summary>What it takes from the documents, one text for each collection: C#, or JavaScript.</summary>
    public HashSet<string> Maps { get; init => field = value ?? []; } = [];

    /// <summary>How entries of the same key become one; null for an index that does not.</summary>
    public string? Reduce { get; set; }

    /// <summary>What it does with each field; those that are not named are one term each.</summary>
    public Dictionary<string, IndexFieldOptions> Fields { get; init => field = value ?? []; } = [];

    /// <summary>Settings of its own.</summary>
    public Dictionary<string, string> Configuration { get; init => field = value ?? []; } = [];

    /// <summary>More source texts that the maps use, by name; C# only if the server allows it.</summary>
    public Dictionary<string, string> AdditionalSources { get; init => field = value ?? []; } = [];

    /// <summary>What happens to another definition of the same name.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>Whether it runs before other indexes.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>Whether it runs.</summary>
    public IndexState? State { get; set; }

    /// <summary>The collection that the results of the reduce are written to; null for none.</summary>
    public string? OutputReduceToCollection { get; set; }

    /// <summary>How documents that refer to those results are named; null for none.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>The collection of the documents that refer to those results.</summary>
    public string? PatternReferencesCollectionName { get; set; }

    /// <summary>On which nodes it is built at the same time.</summary>
    public IndexDeploymentMode? DeploymentMode { get; set; }

    /// <summary>How it treats archived documents.</summary>
    public ArchivedDataProcessingBehavior? ArchivedDataProcessingBehavior { get; set; }
}
