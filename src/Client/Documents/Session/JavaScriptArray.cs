using System.Globalization;

namespace Raven.Client.Documents.Session;

/// <summary>Changes of a list that a patch makes on the server.</summary>
/// <typeparam name="T">What the list holds.</typeparam>
public sealed class JavaScriptArray<T>
{
    private readonly List<string> _calls = [];
    private readonly Dictionary<string, object?> _values;
    private readonly string _path;

    internal JavaScriptArray(string path, Dictionary<string, object?> values)
    {
        _path = path;
        _values = values;
    }

    internal string Script => string.Join('\n', _calls);

    /// <summary>Adds values at the end.</summary>
    public JavaScriptArray<T> Add(params T[] values)
    {
        ArgumentNullException.ThrowIfNull(values);
        foreach (T value in values)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"val_{_values.Count}");
            _values[name] = value;
            _calls.Add($"this{_path}.push(args.{name});");
        }

        return this;
    }

    /// <summary>Removes the value at a place.</summary>
    public JavaScriptArray<T> RemoveAt(int index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        _calls.Add(string.Create(CultureInfo.InvariantCulture, $"this{_path}.splice({index}, 1);"));
        return this;
    }

    /// <summary>Removes all values that equal one.</summary>
    public JavaScriptArray<T> Remove(T value)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"val_{_values.Count}");
        _values[name] = value;
        _calls.Add($"this{_path} = this{_path}.filter(it => it !== args.{name});");
        return this;
    }
}
