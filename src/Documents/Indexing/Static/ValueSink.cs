using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Static;

/// <summary>A sink that takes an array as one value, not item by item.</summary>
internal abstract class ValueSink : MapSink
{
    internal abstract void Add(MapField field, DynamicValue value);
}
