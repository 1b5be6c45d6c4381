using Raven.Server.Indexing.Maps;
using Raven.Server.Indexing.Static.Values;

namespace Raven.Server.Indexing.Static;

/// <summary>A sink that takes values whole: an array stays one.</summary>
internal abstract class ValueSink : MapSink
{
    internal abstract void Add(MapField field, DynamicValue value);
}
