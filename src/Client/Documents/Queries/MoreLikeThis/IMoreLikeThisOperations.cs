namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>Says when documents are alike.</summary>
public interface IMoreLikeThisOperations
{
    /// <summary>Says when documents are alike.</summary>
    IMoreLikeThisOperations WithOptions(MoreLikeThisOptions options);
}
