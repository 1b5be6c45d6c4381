namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>Sets when documents are similar.</summary>
public interface IMoreLikeThisOperations
{
    /// <summary>Sets when documents are similar.</summary>
    IMoreLikeThisOperations WithOptions(MoreLikeThisOptions options);
}
