namespace Raven.Client.Documents.Operations.SchemaValidation;

/// <summary>Which schemas the documents of collections keep to.</summary>
public sealed record SchemaValidationConfiguration
{
    /// <summary>Whether nothing is checked for now.</summary>
    public bool Disabled { get; init; }

    /// <summary>The schema of each collection.</summary>
    public Dictionary<string, SchemaValidationCollectionConfiguration> ValidatorsPerCollection
    {
        get => field ??= [];
        init;
    }
}

/// <summary>The schema of a collection.</summary>
public sealed record SchemaValidationCollectionConfiguration
{
    /// <summary>Whether it is not checked for now.</summary>
    public bool Disabled { get; init; }

    /// <summary>The JSON of the schema, draft 2020-12.</summary>
    public string Schema
    {
        get => field ?? "";
        init;
    }
}

/// <summary>A page of documents that break their schema.</summary>
public sealed record SchemaViolations
{
    /// <summary>The documents.</summary>
    public SchemaViolation[] Results
    {
        get => field ?? [];
        init;
    }

    /// <summary>How many documents were checked for the page.</summary>
    public int Checked { get; init; }

    /// <summary>Where the next page begins; null if this is the last one.</summary>
    public long? NextEtag { get; init; }
}

/// <summary>A document that breaks its schema.</summary>
public sealed record SchemaViolation
{
    /// <summary>The document.</summary>
    public string Id
    {
        get => field ?? "";
        init;
    }

    /// <summary>The value in it, such as <c>Lines[2].Price</c>; empty for the document itself.</summary>
    public string Path
    {
        get => field ?? "";
        init;
    }

    /// <summary>The keyword that it breaks.</summary>
    public string Keyword
    {
        get => field ?? "";
        init;
    }

    /// <summary>Where the keyword is in the schema.</summary>
    public string Place
    {
        get => field ?? "";
        init;
    }

    /// <summary>A sentence about it.</summary>
    public string Message
    {
        get => field ?? "";
        init;
    }
}
