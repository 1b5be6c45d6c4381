namespace Raven.Documents.Subscriptions;

/// <summary>Whether a subscription sends documents whose metadata has <c>@archived</c>.</summary>
public enum ArchivedDocuments
{
    /// <summary>It sends the others only.</summary>
    ExcludeArchived,

    /// <summary>It makes no difference.</summary>
    IncludeArchived,

    /// <summary>It sends these only.</summary>
    ArchivedOnly,
}
