using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Indexes;

/// <summary>An index as a class of the application, named for it: <c>Orders_ByCompany</c> is <c>Orders/ByCompany</c>.
/// </summary>
public abstract class AbstractIndexCreationTask
{
    /// <summary>The name.</summary>
    public virtual string IndexName => NameOf(GetType());

    /// <summary>How types become collections and properties; those of the store where they are null.</summary>
    public DocumentConventions? Conventions { get; set; }

    /// <summary>What becomes of another definition; null leaves it to the server.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>Whether it goes before others; null leaves it to the server.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>What it does; null leaves it to the server.</summary>
    public IndexState? State { get; set; }

    /// <summary>Settings of this index alone.</summary>
    public Dictionary<string, string> Configuration { get; set; } = [];

    /// <summary>More source texts that the maps use, by name; C# only where the server allows it.</summary>
    public Dictionary<string, string> AdditionalSources { get; set; } = [];

    /// <summary>What the server is told.</summary>
    public abstract IndexDefinition CreateIndexDefinition();

    /// <summary>Makes the index, or changes it to what it is now; nothing happens where it is so already.</summary>
    public Task ExecuteAsync(
        IDocumentStore store, string? database = null, CancellationToken cancellationToken = default) =>
        IndexCreation.CreateIndexesAsync([this], store, database, cancellationToken);

    /// <summary>Makes the index, blocking.</summary>
    public void Execute(IDocumentStore store, string? database = null) =>
        ExecuteAsync(store, database).GetAwaiter().GetResult();

    private protected IndexDefinition NewDefinition() => new()
    {
        Name = IndexName,
        LockMode = LockMode,
        Priority = Priority,
        State = State,
        Configuration = Configuration,
        AdditionalSources = AdditionalSources,
    };

    private static string NameOf(Type type)
    {
        int arity = type.Name.IndexOf('`', StringComparison.Ordinal);
        return (arity < 0 ? type.Name : type.Name[..arity]).Replace('_', '/');
    }
}
