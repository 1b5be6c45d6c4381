namespace Raven.Documents.Indexing.Static.Values;

/// <summary>An object that a map made, of <c>new { A = ..., B = ... }</c>.</summary>
public class DynamicRecord
{
    private readonly string[] _names;
    private readonly DynamicValue[] _values;

    /// <summary>Makes an object of names and values, both in order.</summary>
    public DynamicRecord(string[] names, params DynamicValue[] values)
    {
        ArgumentNullException.ThrowIfNull(names);
        ArgumentNullException.ThrowIfNull(values);
        _names = names;
        _values = values;
    }

    /// <summary>The number of properties.</summary>
    public int Count => _names.Length;

    internal ReadOnlySpan<string> Names => _names;

    internal ReadOnlySpan<DynamicValue> Values => _values;

    internal DynamicValue Get(string name)
    {
        int index = Array.IndexOf(_names, name);
        return index < 0 ? default : _values[index];
    }
}
