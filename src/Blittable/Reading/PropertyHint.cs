using System.Text;

namespace Raven.Blittable.Reading;

/// <summary>
/// A property name and the place of its last find. Similar documents have it at the same place, so that the next search
/// is one comparison. May be shared between threads: a lost update costs a search, nothing else.
/// </summary>
public sealed class PropertyHint
{
    private readonly byte[] _name;

    /// <summary>Makes a hint for the property of this name.</summary>
    public PropertyHint(string name) => _name = Encoding.UTF8.GetBytes(name);

    /// <summary>Makes a hint for the property of this name, UTF-8.</summary>
    public PropertyHint(ReadOnlySpan<byte> name) => _name = name.ToArray();

    /// <summary>The name, UTF-8.</summary>
    public ReadOnlySpan<byte> Name => _name;

    internal int LastIndex { get; set; } = -1;
}
