namespace Raven.Client.Documents.Queries.MoreLikeThis;

/// <summary>Sets which documents count as similar.</summary>
public interface IMoreLikeThisOperations
{
    /// <summary>Sets which documents count as similar.</summary>
    IMoreLikeThisOperations WithOptions(MoreLikeThisOptions options);
}
