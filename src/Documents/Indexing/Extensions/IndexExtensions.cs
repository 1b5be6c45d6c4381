using Raven.Documents.Indexing.Maps;
using Raven.Search;
using Raven.Search.Analysis;

namespace Raven.Documents.Indexing.Extensions;

//   EXT-1  A name is looked up in the database first, then in the server, then in the engine, then in Lucene.
//   EXT-2  An index keeps the version of an analyzer, name and hash: if the code has changed, or was deleted, while the
//          index was closed, it does not open, and is rebuilt.

/// <summary>The analyzers and sorters of a database, or those of the server for all databases. Any thread.</summary>
public sealed class IndexExtensions
{
    private readonly IIndexCompiler _compiler;
    private readonly IndexExtensions? _server;
    private readonly Lock _gate = new();
    private readonly Dictionary<(ExtensionKind Kind, string Name), Extension> _all = new(NameComparer.Instance);

    /// <summary>Makes an empty set.</summary>
    /// <param name="compiler">Compiles stored sources at their first use.</param>
    /// <param name="server">The set of the server, if this one is of a database.</param>
    internal IndexExtensions(IIndexCompiler compiler, IndexExtensions? server)
    {
        _compiler = compiler;
        _server = server;
    }

    /// <summary>Takes the stored sources.</summary>
    internal void Load(IEnumerable<ExtensionSource> kept)
    {
        lock (_gate)
        {
            foreach (ExtensionSource source in kept)
            {
                _all[(source.Kind, source.Name)] = new Extension(source, null);
            }
        }
    }

    /// <summary>Takes the stored sources as they are now: those that are gone go, and those that are as they were
    /// stay.</summary>
    internal void Replace(IReadOnlyCollection<ExtensionSource> kept)
    {
        lock (_gate)
        {
            foreach ((ExtensionKind kind, string name) in _all.Keys.Except(kept.Select(one => (one.Kind, one.Name)),
                NameComparer.Instance).ToList())
            {
                Forget(kind, name);
            }

            foreach (ExtensionSource source in kept)
            {
                if (_all.GetValueOrDefault((source.Kind, source.Name))?.Source != source)
                {
                    Forget(source.Kind, source.Name);
                    _all[(source.Kind, source.Name)] = new Extension(source, null);
                }
            }
        }
    }

    /// <summary>All of a kind, by their names.</summary>
    public List<ExtensionSource> All(ExtensionKind kind)
    {
        lock (_gate)
        {
            return [.. _all.Values.Select(one => one.Source).Where(source => source.Kind == kind)
                .OrderBy(source => source.Name, StringComparer.Ordinal)];
        }
    }

    /// <summary>Finds a source by its name in any case; null if there is none.</summary>
    internal ExtensionSource? Find(ExtensionKind kind, string name)
    {
        lock (_gate)
        {
            return _all.GetValueOrDefault((kind, name))?.Source;
        }
    }

    /// <summary>Finds an analyzer by its name, with or without a namespace, or by its version; null if there
    /// is none.</summary>
    /// <exception cref="ExtensionException">It is stored, and cannot be compiled any more.</exception>
    internal Analyzer? FindAnalyzer(string name)
    {
        int hash = name.IndexOf('#', StringComparison.Ordinal);
        string plain = hash < 0 ? Analyzers.PlainName(name) : name[..hash];
        return FindCompiled(ExtensionKind.Analyzer, plain) is GuardedAnalyzer found && (hash < 0 || found.Name == name)
            ? found
            : _server?.FindAnalyzer(name);
    }

    /// <summary>The name of the class in the name of an analyzer, as a field writes it.</summary>
    internal static string PlainName(string analyzer) => Analyzers.PlainName(analyzer);

    /// <summary>Finds a sorter by its name; null if there is none.</summary>
    /// <exception cref="ExtensionException">It is stored, and cannot be compiled any more.</exception>
    internal FieldComparator? FindSorter(string name) =>
        FindCompiled(ExtensionKind.Sorter, name) as FieldComparator ?? _server?.FindSorter(name);

    /// <summary>The version of a sorter, which changes with its code; null if there is none.</summary>
    internal string? SorterVersion(string name) =>
        Find(ExtensionKind.Sorter, name)?.Version ?? _server?.SorterVersion(name);

    /// <summary>Adds compiled analyzers and sorters, in place of those with the same names.</summary>
    internal void Put(IEnumerable<CompiledExtension> compiled)
    {
        lock (_gate)
        {
            foreach (CompiledExtension one in compiled)
            {
                Forget(one.Source.Kind, one.Source.Name);
                _all[(one.Source.Kind, one.Source.Name)] = new Extension(one.Source, one);
            }
        }
    }

    /// <summary>Removes an analyzer or a sorter by its name.</summary>
    internal void Remove(ExtensionKind kind, string name)
    {
        lock (_gate)
        {
            Forget(kind, name);
        }
    }

    private object? FindCompiled(ExtensionKind kind, string name)
    {
        lock (_gate)
        {
            return _all.TryGetValue((kind, name), out Extension? found)
                ? (found.Compiled ??= _compiler.CompileExtension(found.Source)).Instance
                : null;
        }
    }

    private void Forget(ExtensionKind kind, string name)
    {
        if (_all.Remove((kind, name), out Extension? former))
        {
            former.Compiled?.Dispose();
        }
    }

    private sealed class Extension(ExtensionSource source, CompiledExtension? compiled)
    {
        internal ExtensionSource Source { get; } = source;

        internal CompiledExtension? Compiled { get; set; } = compiled;
    }

    private sealed class NameComparer : IEqualityComparer<(ExtensionKind Kind, string Name)>
    {
        internal static NameComparer Instance { get; } = new();

        public bool Equals((ExtensionKind Kind, string Name) x, (ExtensionKind Kind, string Name) y) =>
            x.Kind == y.Kind && x.Name.Equals(y.Name, StringComparison.OrdinalIgnoreCase);

        public int GetHashCode((ExtensionKind Kind, string Name) obj) =>
            HashCode.Combine(obj.Kind, StringComparer.OrdinalIgnoreCase.GetHashCode(obj.Name));
    }
}
