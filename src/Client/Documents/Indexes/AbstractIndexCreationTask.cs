namespace Raven.Client.Documents.Indexes;

/// <summary>An index as a class of the application, named for it: <c>Orders_ByCompany</c> is <c>Orders/ByCompany</c>.
/// </summary>
public abstract class AbstractIndexCreationTask
{
    /// <summary>The name.</summary>
    public virtual string IndexName => GetType().Name.Replace('_', '/');

    /// <summary>What the server is told.</summary>
    public abstract IndexDefinition CreateIndexDefinition();

    /// <summary>Makes the index, or changes it to what it is now; nothing happens where it is so already.</summary>
    public Task ExecuteAsync(
        IDocumentStore store, string? database = null, CancellationToken cancellationToken = default) =>
        IndexCreation.CreateIndexesAsync([this], store, database, cancellationToken);

    /// <summary>Makes the index, blocking.</summary>
    public void Execute(IDocumentStore store, string? database = null) =>
        ExecuteAsync(store, database).GetAwaiter().GetResult();
}
