using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Raven.Client.Documents.Operations.Indexes;

namespace Raven.Client.Documents.Indexes;

/// <summary>Creates the indexes of an application.</summary>
public static class IndexCreation
{
    private const string NeedsAll = "Classes of indexes that nothing else names are trimmed; give them one by one.";

    /// <summary>
    /// Creates the indexes of an assembly: one for each class that defines an index and has a
    /// constructor without parameters.
    /// </summary>
    [RequiresUnreferencedCode(NeedsAll)]
    public static Task CreateIndexesAsync(
        Assembly assembly, IDocumentStore store, string? database = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        return CreateIndexesAsync(
            assembly.GetTypes()
                .Where(type => type is { IsAbstract: false, ContainsGenericParameters: false }
                    && typeof(AbstractIndexCreationTask).IsAssignableFrom(type)
                    && type.GetConstructor(Type.EmptyTypes) != null)
                .Select(type => (AbstractIndexCreationTask)Activator.CreateInstance(type)!),
            store, database, cancellationToken);
    }

    /// <summary>Creates indexes, all in one request.</summary>
    public static async Task CreateIndexesAsync(
        IEnumerable<AbstractIndexCreationTask> indexes, IDocumentStore store, string? database = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(indexes);
        ArgumentNullException.ThrowIfNull(store);
        IndexDefinition[] definitions =
        [
            .. indexes.Select(index =>
            {
                index.Conventions ??= store.Conventions;
                return index.CreateIndexDefinition();
            }),
        ];
        if (definitions.Length > 0)
        {
            var operation = new PutIndexesOperation(definitions);
            await store.GetRequestExecutor(database)
                .ExecuteAsync(operation.GetCommand(store.Conventions), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Creates the indexes of an assembly, blocking.</summary>
    [RequiresUnreferencedCode(NeedsAll)]
    public static void CreateIndexes(Assembly assembly, IDocumentStore store, string? database = null) =>
        CreateIndexesAsync(assembly, store, database).GetAwaiter().GetResult();

    /// <summary>Creates indexes, all in one request, blocking.</summary>
    public static void CreateIndexes(
        IEnumerable<AbstractIndexCreationTask> indexes, IDocumentStore store, string? database = null) =>
        CreateIndexesAsync(indexes, store, database).GetAwaiter().GetResult();
}
