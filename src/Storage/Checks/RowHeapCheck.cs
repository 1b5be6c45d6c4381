using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Tables;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Storage.Checks;

/// <summary>Walks one heap and compares every page with what docs/formats/table.md says of it.</summary>
internal sealed class RowHeapCheck
{
    private readonly IPageReader _pages;
    private readonly string _name;
    private readonly CheckReport _report;
    private readonly HashSet<long> _freeSpaceExpected = [];
    private long _active;
    private long _rows;
    private long _payload;
    private long _sections;
    private long _overflow;

    private RowHeapCheck(IPageReader pages, string name, CheckReport report)
    {
        _pages = pages;
        _name = name;
        _report = report;
    }

    /// <summary>Checks a heap from its root and those of its two trees, and claims its pages.</summary>
    internal static void Run(
        IPageReader pages,
        in StructureRoot root,
        in StructureRoot pageList,
        in StructureRoot freeSpace,
        string name,
        CheckReport report)
    {
        var check = new RowHeapCheck(pages, name, report) { _active = root.ActivePage };
        FixedTreeCheck.Run(pages, pageList, $"{name}: list of pages", report, (key, _) => check.Visit(key));
        var found = new HashSet<long>();
        FixedTreeCheck.Run(pages, freeSpace, $"{name}: free space", report, (key, _) => found.Add(key));
        if (!found.SetEquals(check._freeSpaceExpected))
        {
            report.Find($"{name}: the tree of free space is not what the sections have");
        }

        check.Expect(root.Count, check._rows, "rows");
        check.Expect(root.PayloadBytes, check._payload, "bytes of rows");
        check.Expect(root.LeafPages, check._sections, "sections");
        check.Expect(root.OverflowPages, check._overflow, "overflow pages");
        report.Entries += check._rows;
    }

    private void Visit(long number)
    {
        NativeSlice memory = _pages.GetPage(number);
        if (memory.Length > PageHeader.SizeInBytes && (PageKind)memory.Span[24] == PageKind.Overflow)
        {
            int length = OverflowRun.Read(memory, number).Length;
            int pages = PageHeader.PagesForRun(length);
            _report.Own(number, pages, _name);
            _overflow += pages;
            _rows++;
            _payload += length;
            return;
        }

        _report.Own(number, 1, _name);
        _sections++;
        VisitSection(SectionPage.Open(memory, number), number);
    }

    private void VisitSection(SectionPage page, long number)
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

        if (page.Number != number || rows != page.Rows || rows == 0)
        {
            _report.Find($"{_name}: page {number} has {rows} rows, its header says {page.Rows} of page {page.Number}");
        }

        if (bytes + page.Garbage != SectionPage.Size - page.Upper)
        {
            _report.Find($"{_name}: page {number} has {bytes} bytes of rows and {page.Garbage} of garbage");
        }

        long key = RowHeap.FreeSpaceKey(number, page.Free);
        if (key != 0 && number != _active)
        {
            _freeSpaceExpected.Add(key);
        }

        _rows += rows;
        _payload += bytes;
    }

    private void Expect(long kept, long counted, string what)
    {
        if (kept != counted)
        {
            _report.Find($"{_name}: the root record says {kept} {what}, there are {counted}");
        }
    }
}
