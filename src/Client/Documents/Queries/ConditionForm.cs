namespace Raven.Client.Documents.Queries;

/// <summary>What a condition is, as far as something can be said of it afterwards.</summary>
internal enum ConditionForm
{
    /// <summary>Any.</summary>
    Plain,

    /// <summary>A field that equals a value: can be fuzzy.</summary>
    Equal,

    /// <summary>Words that are searched: can be asked to be near each other.</summary>
    Search,
}
