using Raven.Blittable.Contexts;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;

namespace Raven.Documents.Queries;

/// <summary>What a query reads of its index.</summary>
/// <param name="session">The query, which an index answers.</param>
public sealed class QueryCosts(QuerySession session)
{
    /// <summary>How many entries the index has.</summary>
    public long EntryCount => session.Reader!.EntryCount;

    /// <summary>How many terms were read, where results were found.</summary>
    public long TermsRead => session.Workspace.Searcher.TermsRead;

    /// <summary>How many entries were read, where results were found.</summary>
    public long EntriesRead => session.Workspace.Searcher.EntriesRead;

    /// <summary>Finds the results of the page; how many there are without paging.</summary>
    /// <param name="kept">Memory that lives as long as the results.</param>
    public long Find(OperationContext kept) => session.Find(kept, isWhole: false).TotalCount;

    /// <summary>What each condition finds by itself.</summary>
    /// <param name="cancellation">Ends the search.</param>
    public List<ConditionCost> OfConditions(CancellationToken cancellation)
    {
        List<ConditionCost> costs = [];
        QueryWorkspace workspace = QueryWorkspace.Rent();
        try
        {
            RqlTranslator translator = session.TranslatorInto(workspace.Query);
            foreach (RqlExpression leaf in session.Input.Rql.Where is { } where
                ? RqlText.Leaves(where).Where(leaf => !MoreLikeThisQuery.IsOne(leaf))
                : [])
            {
                workspace.Query.Clear();
                workspace.Searcher.Run(
                    session.Reader!, workspace.Query, translator.Translate(leaf),
                    new SearchRequest { Take = 0, Cancellation = cancellation });
                costs.Add(new ConditionCost(
                    RqlText.Of(leaf), workspace.Searcher.TotalCount, workspace.Searcher.TermsRead));
            }
        }
        finally
        {
            workspace.Return();
        }

        return costs;
    }
}
