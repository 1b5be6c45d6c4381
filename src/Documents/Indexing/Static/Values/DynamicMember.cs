using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The name of a member at one place of a map, with a cache of its last position.</summary>
public sealed class DynamicMember
{
    /// <summary>Makes the member of a name at one place.</summary>
    public DynamicMember(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Name = name;
        Hint = new PropertyHint(name);
        IsOfObjects = name is "Id" or "@id" or "__document_id" or "Keys" or "Values" or "Count" or "Value"
            or "HasValue";
    }

    /// <summary>The name of the member.</summary>
    public string Name { get; }

    internal PropertyHint Hint { get; }

    /// <summary>Whether every object has a member of that name, even without such a property.</summary>
    internal bool IsOfObjects { get; }
}
