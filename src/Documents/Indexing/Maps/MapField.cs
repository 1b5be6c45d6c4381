using Raven.Documents.Indexing.Definitions;

namespace Raven.Documents.Indexing.Maps;

/// <summary>A field that maps add values to; made by a <see cref="MapSink"/>, and valid for that sink only.</summary>
internal class MapField
{
    internal MapField(string name, IndexFieldOptions options)
    {
        Name = name;
        Options = options;
    }

    /// <summary>The name of the field, as queries write it.</summary>
    internal string Name { get; }

    /// <summary>How it is indexed and stored.</summary>
    internal IndexFieldOptions Options { get; }
}
