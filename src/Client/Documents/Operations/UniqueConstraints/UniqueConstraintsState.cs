namespace Raven.Client.Documents.Operations.UniqueConstraints;

/// <summary>How far the unique constraints of a database are.</summary>
public sealed record UniqueConstraintsState
{
    /// <summary>The constraints.</summary>
    public UniqueConstraintState[] Results
    {
        get => field ?? [];
        init;
    }
}

/// <summary>How far a unique constraint is.</summary>
public sealed record UniqueConstraintState
{
    /// <summary>The collection.</summary>
    public string Collection
    {
        get => field ?? "";
        init;
    }

    /// <summary>The name of the constraint.</summary>
    public string Name
    {
        get => field ?? "";
        init;
    }

    /// <summary>How far it is.</summary>
    public UniqueConstraintStage State { get; init; }

    /// <summary>How many documents would have to get another value, so that it holds.</summary>
    public long Excess { get; init; }

    /// <summary>Some of the values that documents share.</summary>
    public UniqueSharedValue[] Shared
    {
        get => field ?? [];
        init;
    }
}

/// <summary>How far a unique constraint is.</summary>
public enum UniqueConstraintStage
{
    /// <summary>The server reads the documents that were there before; it is not in effect.</summary>
    Building,

    /// <summary>Documents share values: it is not in effect until none do.</summary>
    Violated,

    /// <summary>It is in effect.</summary>
    Active,
}

/// <summary>A value that documents share.</summary>
public sealed record UniqueSharedValue
{
    /// <summary>The value of each field, as JSON.</summary>
    public string[] Values
    {
        get => field ?? [];
        init;
    }

    /// <summary>Some of the documents.</summary>
    public string[] Ids
    {
        get => field ?? [];
        init;
    }
}
