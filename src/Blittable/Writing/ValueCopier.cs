using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Writing;

/// <summary>
/// Copies values of one document into another: scalars as they are stored, containers member by member.
/// </summary>
internal static class ValueCopier
{
    /// <summary>Appends a copy of a value; the builder expects a value.</summary>
    internal static void Copy(DocumentBuilder builder, BlittableValue value)
    {
        switch (value.Token & BlittableToken.KindMask)
        {
            case BlittableToken.Object:
                builder.StartObject();
                CopyMembers(builder, value.AsObject(), except: default);
                builder.EndObject();
                break;
            case BlittableToken.Array:
                builder.StartArray();
                BlittableArray elements = value.AsArray();
                for (int i = 0; i < elements.Count; i++)
                {
                    Copy(builder, elements.ElementAt(i));
                }

                builder.EndArray();
                break;
            default:
                CopyScalar(builder, value);
                break;
        }
    }

    /// <summary>
    /// Appends the properties of an object, in their original order, except those in <paramref name="except"/>.
    /// </summary>
    internal static void CopyMembers(DocumentBuilder builder, BlittableObject source, ReadOnlySpan<int> except)
    {
        int[] order = ArrayPool<int>.Shared.Rent(Math.Max(1, source.Count));
        source.GetOriginalOrder(order);
        for (int i = 0; i < source.Count; i++)
        {
            if (except.Contains(order[i]))
            {
                continue;
            }

            BlittableProperty property = source.GetProperty(order[i]);
            builder.Name(builder.Names.Intern(property.Name), builder.ChildCount);
            Copy(builder, property.Value);
        }

        ArrayPool<int>.Shared.Return(order);
    }

    private static void CopyScalar(DocumentBuilder builder, BlittableValue value)
    {
        if (BlittableToken.HasNoBytes(value.Token))
        {
            builder.PushWithoutBytes(value.Token);
            return;
        }

        ref byte source = ref Unsafe.Add(ref value.Document.First, value.Position);
        int length = StoredValue.LengthOf(ref source, value.Token);
        ref byte target = ref builder.Reserve(length);
        int start = builder.Position;
        MemoryMarshal.CreateReadOnlySpan(ref source, length).CopyTo(MemoryMarshal.CreateSpan(ref target, length));
        builder.Position = start + length;
        builder.Push(value.Token, start);
    }
}
