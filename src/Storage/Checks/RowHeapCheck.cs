using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one heap and compares every page with what docs/formats/table.md says of it.</summary>
internal static class RowHeapCheck
{
    private const ulong AnyPlace = 1;

    /// <summary>Checks a heap, given its root record and those of its two trees, and claims its pages.</summary>
    internal static CheckTotals Run(
        StructureCheck check,
        in StructureRoot root,
        in StructureRoot pageList,
        in StructureRoot freeSpace,
        StructureNames names,
        long holder)
    {
        CheckTotals totals = FixedTreeCheck.Run(check, pageList, names.HeapPages, holder, EntryRole.HeapPages);
        CheckTotals found = FixedTreeCheck.Run(check, freeSpace, names.HeapFreeSpace, holder, EntryRole.HeapFreeSpace);

        // The page that takes the next row is not in the tree, however much is free in it.
        CheckTotals active = root.ActivePage == 0 ? default : check.Ledger.TotalsOf(root.ActivePage);
        if (found.Keys != totals.Keys - active.Keys || found.KeySum != totals.KeySum - active.KeySum)
        {
            check.Report.Find($"{names.Name}: the tree of free space is not what the sections have");
        }

        check.Expect(names.Name, root.Count, totals.Rows, "rows");
        check.Expect(names.Name, root.PayloadBytes, totals.PayloadBytes, "bytes of rows");
        check.Expect(names.Name, root.LeafPages, totals.Sections, "sections");
        check.Expect(names.Name, root.OverflowPages, totals.OverflowPages, "overflow pages");
        found.Keys = totals.Keys = 0;
        totals.Add(found);
        totals.BelowEntries = totals.Rows;
        return totals;
    }

    /// <summary>Checks a page that the list of pages names.</summary>
    internal static void VisitPage(StructureCheck check, long number, long holder, string name, ref CheckTotals totals)
    {
        if (check.Ledger.IsKnown(number, AnyPlace, out CheckTotals own))
        {
            check.Ledger.Claim(number, Math.Max(1, (int)own.OverflowPages), holder, name, check.Report);
            totals.Add(own);
            return;
        }

        if (!check.TryGetPage(number, name, out NativeSlice memory))
        {
            return;
        }

        if (memory.Length > PageHeader.SizeInBytes && (PageKind)memory.Span[24] == PageKind.Overflow)
        {
            own.PayloadBytes = OverflowRun.Read(memory, number).Length;
            own.OverflowPages = PageHeader.PagesForRun((int)own.PayloadBytes);
            own.Rows = 1;
        }
        else
        {
            VisitSection(check.Report, SectionPage.Open(memory, number), number, name, ref own);
        }

        if (check.Ledger.Claim(number, Math.Max(1, (int)own.OverflowPages), holder, name, check.Report))
        {
            check.Look(name, number, memory);
            check.Ledger.Keep(number, AnyPlace, own);
            totals.Add(own);
        }
    }

    private static void VisitSection(
        CheckReport report, SectionPage page, long number, string name, ref CheckTotals own)
    {
        int rows = 0;
        int bytes = 0;
        for (int slot = 0; slot < page.Slots; slot++)
        {
            if (page.TryGetRow(slot, out _, out int length))
            {
                rows++;
                bytes += length;
            }
        }

        if (rows != page.Rows || rows == 0)
        {
            report.Find($"{name}: page {number} has {rows} rows, its header says {page.Rows}");
        }

        if (bytes + page.Garbage != SectionPage.Size - page.Upper)
        {
            report.Find($"{name}: page {number} has {bytes} bytes of rows and {page.Garbage} of garbage");
        }

        long key = RowHeap.FreeSpaceKey(number, page.Free);
        if (key != 0)
        {
            own.AddKey(key);
        }

        own.Sections = 1;
        own.Rows = rows;
        own.PayloadBytes = bytes;
    }
}
