using Raven.Blittable.Reading;

namespace Raven.Server.Indexing.Static.Values;

/// <summary>The name of a member at one place of a map, with a memory of where it was found last.</summary>
public sealed class DynamicMember
{
    /// <summary>A place that asks for a name.</summary>
    public DynamicMember(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Name = name;
        Hint = new PropertyHint(name);
        IsOfObjects = name is "Id" or "@id" or "__document_id" or "Keys" or "Values" or "Count" or "Value"
            or "HasValue";
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    internal PropertyHint Hint { get; }

    /// <summary>Whether a stored object has such a member, though it has no property of the name.</summary>
    internal bool IsOfObjects { get; }
}
