using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;

namespace Raven.Documents.Catalog;

//   EXTC-1  Code is compiled before it is stored, and stored before it is in effect.
//   EXTC-2  An index whose analyzer has changed is rebuilt: terms of one analyzer are not found by another.

/// <summary>Creates, changes and deletes analyzers and sorters. Any thread.</summary>
public static class ExtensionChanges
{
    /// <summary>Stores some in a database.</summary>
    /// <exception cref="ExtensionException">One cannot be compiled: then none is stored.</exception>
    public static async ValueTask PutAsync(DatabaseIndexes room, IReadOnlyList<ExtensionSource> sources)
    {
        List<CompiledExtension> compiled = CompileAll(room.Services, sources);
        IndexExtensions extensions = room.Extensions;
        List<ExtensionSource> changed = Changed(extensions, sources);
        await room.Database.SubmitAsync(new ExtensionsCommand(sources, default, null)).ConfigureAwait(false);
        extensions.Put(compiled);
        await RemakeAsync(room, changed).ConfigureAwait(false);
    }

    /// <summary>Stores some for all databases.</summary>
    /// <exception cref="ExtensionException">One cannot be compiled: then none is stored.</exception>
    public static async ValueTask PutAsync(DatabaseCatalog databases, IReadOnlyList<ExtensionSource> sources)
    {
        IndexingServices services = databases.Indexing!;
        List<CompiledExtension> compiled = CompileAll(services, sources);
        List<ExtensionSource> changed = Changed(services.Extensions, sources);
        databases.WriteExtensions(sources, default, null);
        services.Extensions.Put(compiled);
        foreach (DatabaseIndexes room in Loaded(databases))
        {
            await RemakeAsync(room, changed, isOfServer: true).ConfigureAwait(false);
        }
    }

    /// <summary>Takes those that all servers have: others go, and indexes that used another analyzer of a name are
    /// rebuilt.</summary>
    /// <param name="databases">The catalog.</param>
    /// <param name="all">All that there are.</param>
    public static async ValueTask TakeAsync(DatabaseCatalog databases, IReadOnlyList<ExtensionSource> all)
    {
        ArgumentNullException.ThrowIfNull(databases);
        ArgumentNullException.ThrowIfNull(all);
        IndexingServices services = databases.Indexing!;
        ExtensionSource[] there =
            [.. services.Extensions.All(ExtensionKind.Analyzer), .. services.Extensions.All(ExtensionKind.Sorter)];
        foreach (ExtensionSource gone in there.Where(one => !all.Any(other => IsSame(one, other))))
        {
            databases.WriteExtensions([], gone.Kind, gone.Name, isShared: true);
            services.Extensions.Remove(gone.Kind, gone.Name);
        }

        ExtensionSource[] others = [.. all.Except(there)];
        if (others.Length == 0)
        {
            return;
        }

        // They were compiled where they were put, and are compiled here at their first use.
        List<ExtensionSource> changed = Changed(services.Extensions, others);
        databases.WriteExtensions(others, default, null, isShared: true);
        services.Extensions.Replace(all);
        foreach (DatabaseIndexes room in Loaded(databases))
        {
            await RemakeAsync(room, changed, isOfServer: true).ConfigureAwait(false);
        }
    }

    /// <summary>Deletes one of a database, if there is one.</summary>
    /// <exception cref="ExtensionException">An index uses it.</exception>
    public static async ValueTask DeleteAsync(DatabaseIndexes room, ExtensionKind kind, string name)
    {
        IndexExtensions extensions = room.Extensions;
        if (extensions.Find(kind, name) is { } source)
        {
            CheckUse(room, source);
            await room.Database.SubmitAsync(new ExtensionsCommand([], kind, name)).ConfigureAwait(false);
            extensions.Remove(kind, name);
        }
    }

    /// <summary>Deletes one of the server, if there is one.</summary>
    /// <exception cref="ExtensionException">An index of a database that was used since the start uses it.</exception>
    public static void Delete(DatabaseCatalog databases, ExtensionKind kind, string name)
    {
        IndexExtensions extensions = databases.Indexing!.Extensions;
        if (extensions.Find(kind, name) is { } source)
        {
            foreach (DatabaseIndexes room in Loaded(databases))
            {
                CheckUse(room, source);
            }

            databases.WriteExtensions([], kind, name);
            extensions.Remove(kind, name);
        }
    }

    private static bool IsSame(ExtensionSource one, ExtensionSource other) =>
        one.Kind == other.Kind && one.Name.Equals(other.Name, StringComparison.OrdinalIgnoreCase);

    private static List<CompiledExtension> CompileAll(
        IndexingServices services, IReadOnlyList<ExtensionSource> sources)
    {
        List<CompiledExtension> compiled = [];
        try
        {
            foreach (ExtensionSource source in sources)
            {
                compiled.Add(services.Compiler.CompileExtension(source));
            }

            return compiled;
        }
        catch
        {
            compiled.ForEach(one => one.Dispose());
            throw;
        }
    }

    private static List<ExtensionSource> Changed(IndexExtensions extensions, IReadOnlyList<ExtensionSource> sources) =>
        [.. sources.Where(source => source.Kind == ExtensionKind.Analyzer
            && extensions.Find(source.Kind, source.Name)?.Code != source.Code)];

    private static IEnumerable<DatabaseIndexes> Loaded(DatabaseCatalog databases)
    {
        foreach (string name in databases.Names())
        {
            if (databases.TryGet(name, out Database? database) && database.Indexes.IsLoaded)
            {
                yield return database.Indexes;
            }
        }
    }

    private static async ValueTask RemakeAsync(
        DatabaseIndexes room, List<ExtensionSource> changed, bool isOfServer = false)
    {
        foreach (DatabaseIndex index in room.All)
        {
            if (changed.Exists(source => Uses(index.Definition, source)))
            {
                ValueTask remaking = isOfServer && room.Database.Replica is not null
                    ? room.Followed.RemakeAsync(index.Name)
                    : room.Changes.RemakeAsync(index.Name);
                await remaking.ConfigureAwait(false);
            }
        }
    }

    private static void CheckUse(DatabaseIndexes room, ExtensionSource source)
    {
        DatabaseIndex? user = source.Kind == ExtensionKind.Sorter
            ? null
            : room.All.FirstOrDefault(index => Uses(index.Definition, source));
        if (user is not null)
        {
            throw new ExtensionException(
                ExtensionProblem.InUse, source.Kind,
                $"The {CompiledExtension.Describe(source)} is used by the index '{user.Name}' of "
                + $"'{room.Database.Name}'.");
        }
    }

    private static bool Uses(IndexDefinition definition, ExtensionSource source) => definition.Fields.Values.Any(
        options => options.Analyzer is { } analyzer
            && IndexExtensions.PlainName(analyzer).Equals(source.Name, StringComparison.OrdinalIgnoreCase));
}
