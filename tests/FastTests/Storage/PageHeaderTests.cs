using System.Runtime.CompilerServices;
using Raven.Storage.Paging;

namespace FastTests.Storage;

public sealed class PageHeaderTests
{
    [Fact]
    public void Page_header_is_32_bytes() => Assert.Equal(PageHeader.SizeInBytes, Unsafe.SizeOf<PageHeader>());

    [Theory]
    [InlineData(0, 1)]
    [InlineData(PageHeader.PageSizeInBytes - PageHeader.SizeInBytes, 1)]
    [InlineData(PageHeader.PageSizeInBytes - PageHeader.SizeInBytes + 1, 2)]
    public void A_run_takes_as_many_pages_as_its_bytes_and_one_header_need(int payload, int pages) =>
        Assert.Equal(pages, PageHeader.PagesForRun(payload));
}
