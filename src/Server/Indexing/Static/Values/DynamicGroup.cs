using System.Collections;

namespace Raven.Server.Indexing.Static.Values;

/// <summary>Values that have one key: what <c>GroupBy</c> gives.</summary>
public sealed class DynamicGroup : IEnumerable<DynamicValue>
{
    private readonly IEnumerable<DynamicValue> _values;

    /// <summary>A group.</summary>
    public DynamicGroup(DynamicValue key, IEnumerable<DynamicValue> values)
    {
        Key = key;
        _values = values;
    }

    /// <summary>The key.</summary>
    public DynamicValue Key { get; }

    /// <summary>The values, where they are a list.</summary>
    internal DynamicValue[]? List => _values as DynamicValue[];

    /// <inheritdoc/>
    public IEnumerator<DynamicValue> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
