using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Indexes;

/// <summary>An index as a class of the application, named for it: <c>Orders_ByCompany</c> is <c>Orders/ByCompany</c>.
/// </summary>
public abstract class AbstractIndexCreationTask
{
    /// <summary>The name of the index on the server.</summary>
    public virtual string IndexName => NameOf(GetType());

    /// <summary>How types become collections and properties; null takes those of the store.</summary>
    public DocumentConventions? Conventions { get; set; }

    /// <summary>What the server does with a different definition of the same name; null takes its default.</summary>
    public IndexLockMode? LockMode { get; set; }

    /// <summary>The order in which indexes run; null takes the server's default.</summary>
    public IndexPriority? Priority { get; set; }

    /// <summary>Whether the index runs; null takes the server's default.</summary>
    public IndexState? State { get; set; }

    /// <summary>Settings of this index alone.</summary>
    public Dictionary<string, string> Configuration { get; set; } = [];

    /// <summary>More source texts that the maps use, by name; C# only if the server allows it.</summary>
    public Dictionary<string, string> AdditionalSources { get; set; } = [];

    /// <summary>The definition that is sent to the server.</summary>
    public abstract IndexDefinition CreateIndexDefinition();

    /// <summary>Creates the index, or changes it if its definition differs from that on the server.</summary>
    public Task ExecuteAsync(
        IDocumentStore store, string? database = null, CancellationToken cancellationToken = default) =>
        IndexCreation.CreateIndexesAsync([this], store, database, cancellationToken);

    /// <summary>Creates or changes the index, blocking.</summary>
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
