namespace Raven.Client.Documents.Indexes;

/// <summary>The definition of an index, in the form of the HTTP API.</summary>
public sealed class IndexDefinition
{
    /// <summary>The name in <see cref="Fields"/> that stands for all fields.</summary>
    public const string AllFields = "__all_fields";

    /// <summary>The name of the index.</summary>
    public string Name { get; set; } = "";

    /// <summary>The maps, in C# or JavaScript.</summary>
    public HashSet<string> Maps { get; init => field = value ?? []; } = [];

    /// <summary>The reduce: how entries of the same key become one; null for an index without a reduce.</summary>
    public string? Reduce { get; set; }

    /// <summary>How each field is indexed. Each value of a field that is not named is one term.</summary>
    public Dictionary<string, IndexFieldOptions> Fields { get; init => field = value ?? []; } = [];

    /// <summary>Settings of this index alone.</summary>
    public Dictionary<string, string> Configuration { get; init => field = value ?? []; } = [];

    /// <summary>More source texts that the maps use, by name; C# only if the server allows it.</summary>
    public Dictionary<string, string> AdditionalSources { get; init => field = value ?? []; } = [];

    /// <summary>What the server does with a different definition of the same name.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>The order in which indexes run.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>Whether the index runs.</summary>
    public IndexState? State { get; set; }

    /// <summary>The collection that the results of the reduce are written to; null for none.</summary>
    public string? OutputReduceToCollection { get; set; }

    /// <summary>How documents that refer to those results are named; null for none.</summary>
    public string? PatternForOutputReduceToCollectionReferences { get; set; }

    /// <summary>The collection of the documents that refer to those results.</summary>
    public string? PatternReferencesCollectionName { get; set; }

    /// <summary>Whether all nodes of a cluster build the index at once.</summary>
    public IndexDeploymentMode? DeploymentMode { get; set; }

    /// <summary>How the index treats archived documents.</summary>
    public ArchivedDataProcessingBehavior? ArchivedDataProcessingBehavior { get; set; }
}
