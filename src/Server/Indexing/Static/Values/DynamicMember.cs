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
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    internal PropertyHint Hint { get; }
}
