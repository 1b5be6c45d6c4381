using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Server.Http.Commands;

/// <summary>A property of a command that only the code of its type reads.</summary>
/// <param name="Name">The name, UTF-8.</param>
/// <param name="Value">
/// The value, of mode "to memory" unless it is a document to be stored; it lives in the context that the command was
/// read into.
/// </param>
internal readonly record struct CommandField(NativeSlice Name, BlittableValue Value);
