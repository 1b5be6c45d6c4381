using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text.Json;

namespace Raven.Client.Documents.Session;

/// <summary>The metadata of a document; see <see cref="IMetadataDictionary"/>.</summary>
public sealed class MetadataDictionary : IMetadataDictionary
{
    private readonly Dictionary<string, object?> _values = new(StringComparer.Ordinal);

    /// <summary>Empty metadata, for a bulk insert.</summary>
    public MetadataDictionary()
    {
    }

    internal MetadataDictionary(JsonElement? json)
    {
        if (json is { ValueKind: JsonValueKind.Object } metadata)
        {
            foreach (JsonProperty property in metadata.EnumerateObject())
            {
                _values[property.Name] = FromJson(property.Value);
            }
        }
    }

    /// <inheritdoc/>
    public bool IsDirty { get; private set; }

    /// <inheritdoc/>
    public int Count => _values.Count;

    /// <inheritdoc/>
    public bool IsReadOnly => false;

    /// <inheritdoc/>
    public ICollection<string> Keys => _values.Keys;

    /// <inheritdoc/>
    public ICollection<object?> Values => _values.Values;

    /// <inheritdoc/>
    public object? this[string key]
    {
        get => _values[key];
        set
        {
            IsDirty = true;
            _values[key] = value;
        }
    }

    /// <inheritdoc/>
    public string? GetString(string key) => Find(key) as string;

    /// <inheritdoc/>
    public long GetLong(string key) =>
        Find(key) is { } value ? Convert.ToInt64(value, CultureInfo.InvariantCulture) : 0;

    /// <inheritdoc/>
    public double GetDouble(string key) =>
        Find(key) is { } value ? Convert.ToDouble(value, CultureInfo.InvariantCulture) : 0;

    /// <inheritdoc/>
    public bool GetBoolean(string key) => Find(key) is true;

    /// <inheritdoc/>
    public void Add(string key, object? value)
    {
        _values.Add(key, value);
        IsDirty = true;
    }

    /// <inheritdoc/>
    public bool ContainsKey(string key) => _values.ContainsKey(key);

    /// <inheritdoc/>
    public bool Remove(string key)
    {
        bool isRemoved = _values.Remove(key);
        IsDirty |= isRemoved;
        return isRemoved;
    }

    /// <inheritdoc/>
    public bool TryGetValue(string key, [MaybeNullWhen(false)] out object? value) =>
        _values.TryGetValue(key, out value);

    /// <inheritdoc/>
    public void Add(KeyValuePair<string, object?> item) => Add(item.Key, item.Value);

    /// <inheritdoc/>
    public void Clear()
    {
        IsDirty |= _values.Count > 0;
        _values.Clear();
    }

    /// <inheritdoc/>
    public bool Contains(KeyValuePair<string, object?> item) => _values.Contains(item);

    /// <inheritdoc/>
    public void CopyTo(KeyValuePair<string, object?>[] array, int arrayIndex) =>
        ((ICollection<KeyValuePair<string, object?>>)_values).CopyTo(array, arrayIndex);

    /// <inheritdoc/>
    public bool Remove(KeyValuePair<string, object?> item) => Contains(item) && Remove(item.Key);

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Sets a value of the server after a save, which is no change by the caller.</summary>
    internal void SetFromServer(string key, object? value) => _values[key] = value;

    internal void SetSaved() => IsDirty = false;

    private static object? FromJson(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString(),
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Null => null,
        JsonValueKind.Number => value.TryGetInt64(out long whole) ? whole : value.GetDouble(),
        _ => value,
    };

    private object? Find(string key) => _values.GetValueOrDefault(key);
}
