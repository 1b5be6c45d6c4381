namespace Raven.Client.Documents.Operations.UniqueConstraints;

/// <summary>Which values only one document of a collection may have.</summary>
public sealed record UniqueConstraintsConfiguration
{
    /// <summary>Whether there are none for now. Those that are switched on again are built anew.</summary>
    public bool Disabled { get; init; }

    /// <summary>The constraints of each collection.</summary>
    public Dictionary<string, UniqueConstraintsOfCollection> Collections
    {
        get => field ??= [];
        init;
    }
}

/// <summary>The constraints of a collection.</summary>
public sealed record UniqueConstraintsOfCollection
{
    /// <summary>Whether there are none for now.</summary>
    public bool Disabled { get; init; }

    /// <summary>The constraints.</summary>
    public UniqueConstraintDefinition[] Constraints
    {
        get => field ?? [];
        init;
    }
}

/// <summary>Fields whose values no two documents share.</summary>
public sealed record UniqueConstraintDefinition
{
    /// <summary>The name of the constraint.</summary>
    public string Name
    {
        get => field ?? "";
        init;
    }

    /// <summary>The paths of the fields, such as <c>Address.City</c>. With several, all of them together are unique.
    /// Documents without one of them, or with null, may be as many as there are.</summary>
    public string[] Fields
    {
        get => field ?? [];
        init;
    }

    /// <summary>Whether texts are the same in upper and lower case.</summary>
    public bool IgnoreCase { get; init; }
}
