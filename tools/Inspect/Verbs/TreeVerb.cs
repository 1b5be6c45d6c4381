using System.Runtime.InteropServices;
using System.Text;
using Raven.Storage;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Inspect.Verbs;

/// <summary>
/// Lists the structures of an environment with their sizes and fill, or draws the pages of one, level by level. Opens
/// it as the server does, so a journal that a crash left is applied first.
/// </summary>
internal sealed class TreeVerb : IInspectVerb
{
    private const int KeyBytesShown = 24;

    /// <inheritdoc/>
    public string Name => "tree";

    /// <inheritdoc/>
    public string Usage => "FOLDER [STRUCTURE]    all structures, or the pages of one";

    /// <inheritdoc/>
    public int Run(string[] arguments, TextWriter output)
    {
        if (arguments.Length is not (1 or 2) || !VerbRun.IsEnvironment(arguments[0], output))
        {
            output.WriteLine($"Usage: Inspect {Name} {Usage}");
            return 1;
        }

        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = new RealFileSystem(arguments[0]) });
        using ReadTransaction reader = environment.BeginRead();
        if (arguments.Length == 1)
        {
            List(reader, output);
            return 0;
        }

        if (!reader.Catalog.TryGetRoots(Encoding.UTF8.GetBytes(arguments[1]), out var records))
        {
            output.WriteLine($"There is no structure '{arguments[1]}'.");
            return 1;
        }

        foreach (StructureRoot root in MemoryMarshal.Cast<byte, StructureRoot>(records.Span))
        {
            Draw(reader, root, output);
        }

        return 0;
    }

    private static void List(ReadTransaction reader, TextWriter output)
    {
        output.WriteLine(
            "structure                        kind       entries  depth  leaves  branches  overflow  fill");
        byte[] name = [];
        var sizes = new List<StructureSize>();
        while (StructureSizes.TryAddNext(reader, ref name, readsPages: true, sizes))
        {
            foreach (StructureSize size in sizes)
            {
                output.WriteLine(
                    $"{(size.Part == 0 ? Show(name) : "  its part"),-32} {size.Kind,-9} {size.Count,8}  " +
                    $"{size.Depth,5}  {size.LeafPages,6}  {size.BranchPages,8}  {size.OverflowPages,8}  " +
                    (size.Fill is { } fill ? $"{100 * fill,3:F0}%" : "   -"));
            }

            sizes.Clear();
        }
    }

    private static void Draw(ReadTransaction reader, in StructureRoot root, TextWriter output)
    {
        output.WriteLine($"{root.Kind}: {root.Count} entries, {root.Depth} levels");
        if (root.RootPage != 0 && root.Kind is StructureKind.Tree or StructureKind.FixedTree)
        {
            DrawPage(reader, root, root.RootPage, root.Depth - 1, output);
        }
    }

    private static void DrawPage(
        ReadTransaction reader, in StructureRoot root, long number, int levelsBelow, TextWriter output)
    {
        string indent = new(' ', 2 * (root.Depth - levelsBelow));
        List<long> children = root.Kind == StructureKind.Tree
            ? DescribeTreePage(reader, number, levelsBelow, indent, output)
            : DescribeFixedPage(reader, root, number, levelsBelow, indent, output);
        foreach (long child in children)
        {
            DrawPage(reader, root, child, levelsBelow - 1, output);
        }
    }

    private static List<long> DescribeTreePage(
        ReadTransaction reader, long number, int levelsBelow, string indent, TextWriter output)
    {
        PageKind kind = levelsBelow == 0 ? PageKind.TreeLeaf : PageKind.TreeBranch;
        TreePage page = TreePage.Open(reader.GetPage(number), number, kind);
        string keys = page.Count == 0 ? "" : $", {Show(page.Key(0))} .. {Show(page.Key(page.Count - 1))}";
        output.WriteLine(
            $"{indent}page {number}, {kind}, {page.Count} entries, {100 * page.Used / TreePage.Capacity}% in use" +
            $", {page.PrefixLength} bytes of prefix{keys}");
        var children = new List<long>();
        for (int i = 0; levelsBelow > 0 && i <= page.Count; i++)
        {
            children.Add(page.Child(i));
        }

        return children;
    }

    private static List<long> DescribeFixedPage(
        ReadTransaction reader, in StructureRoot root, long number, int levelsBelow, string indent, TextWriter output)
    {
        int capacity = FixedPage.LeafCapacity(root.ValueSize);
        FixedPage page = levelsBelow == 0
            ? FixedPage.OpenLeaf(reader.GetPage(number), number, root.ValueSize, capacity)
            : FixedPage.OpenBranch(reader.GetPage(number), number);
        int room = levelsBelow == 0 ? capacity : FixedPage.BranchCapacity;
        string keys = page.Count == 0 ? "" : $", {page.Key(0)} .. {page.Key(page.Count - 1)}";
        output.WriteLine(
            $"{indent}page {number}, {(levelsBelow == 0 ? PageKind.FixedLeaf : PageKind.FixedBranch)}, " +
            $"{page.Count} entries, {100 * page.Count / room}% in use{keys}");
        var children = new List<long>();
        for (int i = 0; levelsBelow > 0 && i <= page.Count; i++)
        {
            children.Add(page.Child(i));
        }

        return children;
    }

    /// <summary>As text if it is text, otherwise in hexadecimal.</summary>
    private static string Show(ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> shown = key[..Math.Min(key.Length, KeyBytesShown)];
        string end = shown.Length < key.Length ? "..." : "";
        return shown.ContainsAnyExceptInRange((byte)' ', (byte)'~')
            ? Convert.ToHexStringLower(shown) + end
            : $"\"{Encoding.ASCII.GetString(shown)}\"{end}";
    }
}
