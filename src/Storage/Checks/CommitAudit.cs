using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Checks;

// AUDIT-1  Each commit is audited under the write lock, before its record is encoded: a state that is wrong is never
//          written, and no reader or later writer sees it.
// AUDIT-2  What an audit found holds for the next audit, except for the pages that the transaction changed, made or
//          freed, and the pages above these: an audit of everything costs a commit only what it changed.
// AUDIT-3  Once as many pages were checked as there are, the next audit assumes nothing: it finds pages that were
//          changed outside of any transaction, and costs no more than the audits before it.

/// <summary>
/// Finds mistakes of the storage itself at the commit that makes them: pages with two owners or none, pages both free
/// and in use, keys out of order, wrong counts, pages changed outside of any transaction. Damage by the disk is found
/// too, and not distinguished. Used under the write lock only.
/// </summary>
internal sealed class CommitAudit
{
    private const int FindingsShown = 5;

    private readonly StructureCheck _check = new(new CheckReport(new PageLedger(remembers: true)));
    private bool _isKnown;

    private PageLedger Ledger => _check.Ledger;

    /// <summary>Pages checked since the last whole audit.</summary>
    internal long VisitedPages => Ledger.VisitedPages;

    /// <summary>Audits the state that a transaction is about to commit.</summary>
    /// <param name="pages">The pages of the transaction, after its last change.</param>
    /// <param name="state">The commit point that it is about to publish.</param>
    /// <param name="dirty">The pages that it changed, made or freed.</param>
    /// <param name="freePages">How many pages are free by the writer's own count.</param>
    /// <exception cref="StorageAuditException">That state is wrong.</exception>
    internal void Run(IPageReader pages, in CommitPoint state, DirtyPages dirty, long freePages)
    {
        bool isWhole = !_isKnown || Ledger.VisitedPages >= state.NextPageNumber;
        if (!_isKnown)
        {
            Ledger.Forget();
        }

        _isKnown = false;
        Run(pages, state, dirty, freePages, isWhole);
        if (_check.Report.Findings.Count > 0)
        {
            string[] findings = _check.Report.TakeFindings();
            if (!isWhole)
            {
                // So far perhaps only the sums are known to be wrong; this finds the pages.
                Run(pages, state, dirty, freePages, isWhole: true);
            }

            throw new StorageAuditException(
                state.TransactionId, findings.Union(_check.Report.TakeFindings()).Take(FindingsShown));
        }

        _isKnown = true;
    }

    /// <summary>
    /// Forgets all findings, as the transaction that was audited last is not committed: the next
    /// audit checks everything.
    /// </summary>
    internal void Forget() => _isKnown = false;

    private void Run(IPageReader pages, in CommitPoint state, DirtyPages dirty, long freePages, bool isWhole)
    {
        Ledger.Begin(state.TransactionId, state.NextPageNumber, isWhole);
        for (int i = 0; i < dirty.Count; i++)
        {
            Ledger.Mark(dirty[i].Page);
        }

        EnvironmentCheck.Walk(_check, pages, state);
        if (Ledger.FreePages != freePages)
        {
            _check.Report.Find($"{Ledger.FreePages} pages are free, {freePages} are counted");
        }

        Ledger.VisitedPages = isWhole ? 0 : Ledger.VisitedPages;
    }
}
