using System.Collections;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Values with the same key: a result of <c>GroupBy</c>.</summary>
public sealed class DynamicGroup : IEnumerable<DynamicValue>
{
    private readonly IEnumerable<DynamicValue> _values;

    /// <summary>Makes a group.</summary>
    public DynamicGroup(DynamicValue key, IEnumerable<DynamicValue> values)
    {
        Key = key;
        _values = values;
    }

    /// <summary>The key of all values.</summary>
    public DynamicValue Key { get; }

    /// <summary>The values, if they are a list.</summary>
    internal DynamicValue[]? List => _values as DynamicValue[];

    /// <inheritdoc/>
    public IEnumerator<DynamicValue> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
