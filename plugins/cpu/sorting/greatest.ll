; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 544850278b3f3af7ddd1b90058d903121401520838aacc3a0eb0c55280b90aef

%struct.Greatest = type { i64, i64, ptr, ptr }
%struct.Pair = type { i64, i64 }

define void @greatest_of_lines(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca %struct.Greatest, align 8
  %6 = load ptr, ptr %0, align 8
  %7 = load i64, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %6, i64 56
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %6, i64 40
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds i64, ptr %12, i64 %15
  %17 = getelementptr inbounds nuw i8, ptr %6, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = icmp eq i64 %18, 0
  %20 = add i64 %7, 7
  %21 = sdiv i64 %20, 8
  %22 = shl nsw i64 %21, 3
  %23 = select i1 %19, i64 3, i64 4
  %24 = getelementptr inbounds nuw ptr, ptr %0, i64 %23
  %25 = load ptr, ptr %24, align 8
  %26 = shl i64 %3, 5
  %27 = mul i64 %26, %22
  %28 = getelementptr inbounds i8, ptr %25, i64 %27
  %29 = icmp slt i64 %1, %2
  br i1 %29, label %30, label %50

30:
  %31 = mul i64 %9, %7
  %32 = mul i64 %11, %9
  %33 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %34 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %35 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %36 = getelementptr inbounds i64, ptr %28, i64 %22
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %38 = mul i64 %13, %9
  %39 = icmp sgt i64 %7, 0
  %40 = getelementptr inbounds nuw i8, ptr %16, i64 16
  %41 = getelementptr inbounds nuw i8, ptr %16, i64 24
  %42 = getelementptr inbounds nuw i8, ptr %16, i64 8
  %43 = getelementptr inbounds nuw i8, ptr %16, i64 32
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %45 = tail call i64 @llvm.ctpop.i64(i64 %13)
  %46 = icmp eq i64 %45, 1
  %47 = tail call i64 @llvm.cttz.i64(i64 %13, i1 true)
  %48 = icmp sgt i64 %11, 0
  %49 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br label %51

50:
  ret void

51:
  %52 = phi i64 [ %1, %30 ], [ %347, %346 ]
  %53 = sdiv i64 %52, %9
  %54 = srem i64 %52, %9
  %55 = mul i64 %31, %53
  %56 = add i64 %55, %54
  %57 = mul i64 %32, %53
  %58 = add i64 %57, %54
  store i64 0, ptr %5, align 8
  store i64 %11, ptr %33, align 8
  store ptr %28, ptr %34, align 8
  store ptr %36, ptr %35, align 8
  %59 = load ptr, ptr %37, align 8
  %60 = mul i64 %56, %13
  %61 = getelementptr inbounds i8, ptr %59, i64 %60
  br i1 %39, label %63, label %254

62:
  br label %147

63:
  %64 = phi i64 [ %148, %147 ], [ 0, %51 ]
  %65 = load i64, ptr %5, align 8
  %66 = load i64, ptr %33, align 8
  %67 = icmp sge i64 %65, %66
  %68 = load i64, ptr %40, align 8
  %69 = icmp eq i64 %38, %68
  %70 = select i1 %67, i1 %69, i1 false
  br i1 %70, label %71, label %74

71:
  %72 = add i64 %64, 32
  %73 = icmp sgt i64 %72, %7
  br i1 %73, label %74, label %150

74:
  %75 = mul i64 %64, %38
  %76 = getelementptr inbounds i8, ptr %61, i64 %75
  %77 = load i64, ptr %41, align 8
  %78 = getelementptr inbounds i8, ptr %76, i64 %77
  switch i64 %68, label %87 [
    i64 4, label %79
    i64 8, label %82
    i64 2, label %84
  ]

79:
  %80 = load i32, ptr %78, align 4
  %81 = zext i32 %80 to i64
  br label %90

82:
  %83 = load i64, ptr %78, align 8
  br label %90

84:
  %85 = load i16, ptr %78, align 2
  %86 = zext i16 %85 to i64
  br label %90

87:
  %88 = load i8, ptr %78, align 1
  %89 = zext i8 %88 to i64
  br label %90

90:
  %91 = phi i64 [ %81, %79 ], [ %83, %82 ], [ %86, %84 ], [ %89, %87 ]
  %92 = shl i64 %68, 3
  %93 = add i64 %92, -1
  %94 = shl nuw i64 1, %93
  %95 = load i64, ptr %42, align 8
  switch i64 %95, label %103 [
    i64 1, label %96
    i64 0, label %100
  ]

96:
  %97 = icmp eq i64 %68, 8
  %98 = select i1 %97, i64 -9223372036854775808, i64 0
  %99 = xor i64 %91, %98
  br label %143

100:
  %101 = xor i64 %91, %94
  %102 = sub i64 %101, %94
  br label %143

103:
  %104 = xor i64 %94, -1
  %105 = and i64 %91, %104
  %106 = load i64, ptr %43, align 8
  %107 = icmp sgt i64 %105, %106
  %108 = and i64 %91, %94
  %109 = icmp eq i64 %108, 0
  %110 = sub i64 0, %105
  %111 = select i1 %109, i64 %105, i64 %110
  %112 = select i1 %107, i64 9223372036854775807, i64 %111
  %113 = icmp eq i64 %95, 2
  %114 = icmp eq i64 %112, 9223372036854775807
  %115 = zext i1 %114 to i64
  %116 = select i1 %113, i64 %112, i64 %115
  %117 = icmp eq i64 %95, 3
  br i1 %117, label %118, label %143

118:
  %119 = getelementptr inbounds i8, ptr %78, i64 %68
  switch i64 %68, label %128 [
    i64 4, label %120
    i64 8, label %123
    i64 2, label %125
  ]

120:
  %121 = load i32, ptr %119, align 4
  %122 = zext i32 %121 to i64
  br label %131

123:
  %124 = load i64, ptr %119, align 8
  br label %131

125:
  %126 = load i16, ptr %119, align 2
  %127 = zext i16 %126 to i64
  br label %131

128:
  %129 = load i8, ptr %119, align 1
  %130 = zext i8 %129 to i64
  br label %131

131:
  %132 = phi i64 [ %122, %120 ], [ %124, %123 ], [ %127, %125 ], [ %130, %128 ]
  %133 = and i64 %132, %104
  %134 = icmp sgt i64 %133, %106
  %135 = and i64 %132, %94
  %136 = icmp eq i64 %135, 0
  %137 = sub i64 0, %133
  %138 = select i1 %136, i64 %133, i64 %137
  %139 = icmp eq i64 %138, 9223372036854775807
  %140 = select i1 %134, i1 true, i1 %139
  %141 = or i1 %114, %140
  %142 = zext i1 %141 to i64
  br label %143

143:
  %144 = phi i64 [ %142, %131 ], [ %116, %103 ], [ %102, %100 ], [ %99, %96 ]
  %145 = xor i64 %144, -1
  call fastcc void @insert(ptr %5, i64 %145, i64 %64)
  %146 = add i64 %64, 1
  br label %147

147:
  %148 = phi i64 [ %146, %143 ], [ %72, %62 ], [ %72, %167 ]
  %149 = icmp slt i64 %148, %7
  br i1 %149, label %63, label %251

150:
  %151 = mul i64 %64, %38
  %152 = getelementptr inbounds i8, ptr %61, i64 %151
  %153 = load ptr, ptr %35, align 8
  %154 = getelementptr i64, ptr %153, i64 %66
  %155 = getelementptr i8, ptr %154, i64 -8
  %156 = load i64, ptr %155, align 8
  %157 = mul i64 %156, %38
  %158 = getelementptr inbounds i8, ptr %61, i64 %157
  switch i64 %38, label %165 [
    i64 4, label %159
    i64 8, label %161
    i64 2, label %163
  ]

159:
  %160 = tail call fastcc i32 @may_be_greater_int32_t(ptr %152, ptr %158, ptr %16)
  br label %167

161:
  %162 = tail call fastcc i32 @may_be_greater_int64_t(ptr %152, ptr %158, ptr %16)
  br label %167

163:
  %164 = tail call fastcc i32 @may_be_greater_int16_t(ptr %152, ptr %158, ptr %16)
  br label %167

165:
  %166 = tail call fastcc i32 @may_be_greater_int8_t(ptr %152, ptr %158, ptr %16)
  br label %167

167:
  %168 = phi i32 [ %160, %159 ], [ %162, %161 ], [ %164, %163 ], [ %166, %165 ]
  %169 = icmp eq i32 %168, 0
  br i1 %169, label %147, label %170

170:
  br label %171

171:
  %172 = phi i32 [ %168, %170 ], [ %249, %245 ]
  %173 = tail call i32 @llvm.cttz.i32(i32 %172, i1 true)
  %174 = zext nneg i32 %173 to i64
  %175 = add i64 %64, %174
  %176 = mul i64 %175, %38
  %177 = getelementptr inbounds i8, ptr %61, i64 %176
  %178 = load i64, ptr %41, align 8
  %179 = getelementptr inbounds i8, ptr %177, i64 %178
  %180 = load i64, ptr %40, align 8
  switch i64 %180, label %189 [
    i64 4, label %181
    i64 8, label %184
    i64 2, label %186
  ]

181:
  %182 = load i32, ptr %179, align 4
  %183 = zext i32 %182 to i64
  br label %192

184:
  %185 = load i64, ptr %179, align 8
  br label %192

186:
  %187 = load i16, ptr %179, align 2
  %188 = zext i16 %187 to i64
  br label %192

189:
  %190 = load i8, ptr %179, align 1
  %191 = zext i8 %190 to i64
  br label %192

192:
  %193 = phi i64 [ %183, %181 ], [ %185, %184 ], [ %188, %186 ], [ %191, %189 ]
  %194 = shl i64 %180, 3
  %195 = add i64 %194, -1
  %196 = shl nuw i64 1, %195
  %197 = load i64, ptr %42, align 8
  switch i64 %197, label %205 [
    i64 1, label %198
    i64 0, label %202
  ]

198:
  %199 = icmp eq i64 %180, 8
  %200 = select i1 %199, i64 -9223372036854775808, i64 0
  %201 = xor i64 %193, %200
  br label %245

202:
  %203 = xor i64 %193, %196
  %204 = sub i64 %203, %196
  br label %245

205:
  %206 = xor i64 %196, -1
  %207 = and i64 %193, %206
  %208 = load i64, ptr %43, align 8
  %209 = icmp sgt i64 %207, %208
  %210 = and i64 %193, %196
  %211 = icmp eq i64 %210, 0
  %212 = sub i64 0, %207
  %213 = select i1 %211, i64 %207, i64 %212
  %214 = select i1 %209, i64 9223372036854775807, i64 %213
  %215 = icmp eq i64 %197, 2
  %216 = icmp eq i64 %214, 9223372036854775807
  %217 = zext i1 %216 to i64
  %218 = select i1 %215, i64 %214, i64 %217
  %219 = icmp eq i64 %197, 3
  br i1 %219, label %220, label %245

220:
  %221 = getelementptr inbounds i8, ptr %179, i64 %180
  switch i64 %180, label %230 [
    i64 4, label %222
    i64 8, label %225
    i64 2, label %227
  ]

222:
  %223 = load i32, ptr %221, align 4
  %224 = zext i32 %223 to i64
  br label %233

225:
  %226 = load i64, ptr %221, align 8
  br label %233

227:
  %228 = load i16, ptr %221, align 2
  %229 = zext i16 %228 to i64
  br label %233

230:
  %231 = load i8, ptr %221, align 1
  %232 = zext i8 %231 to i64
  br label %233

233:
  %234 = phi i64 [ %224, %222 ], [ %226, %225 ], [ %229, %227 ], [ %232, %230 ]
  %235 = and i64 %234, %206
  %236 = icmp sgt i64 %235, %208
  %237 = and i64 %234, %196
  %238 = icmp eq i64 %237, 0
  %239 = sub i64 0, %235
  %240 = select i1 %238, i64 %235, i64 %239
  %241 = icmp eq i64 %240, 9223372036854775807
  %242 = select i1 %236, i1 true, i1 %241
  %243 = or i1 %216, %242
  %244 = zext i1 %243 to i64
  br label %245

245:
  %246 = phi i64 [ %244, %233 ], [ %218, %205 ], [ %204, %202 ], [ %201, %198 ]
  %247 = xor i64 %246, -1
  call fastcc void @insert(ptr %5, i64 %247, i64 %175)
  %248 = add i32 %172, -1
  %249 = and i32 %248, %172
  %250 = icmp eq i32 %249, 0
  br i1 %250, label %62, label %171

251:
  %252 = load ptr, ptr %37, align 8
  %253 = load ptr, ptr %35, align 8
  br label %254

254:
  %255 = phi ptr [ %253, %251 ], [ %36, %51 ]
  %256 = phi ptr [ %252, %251 ], [ %59, %51 ]
  %257 = getelementptr inbounds i8, ptr %256, i64 %60
  %258 = load ptr, ptr %44, align 8
  %259 = mul i64 %58, %13
  %260 = getelementptr inbounds i8, ptr %258, i64 %259
  br i1 %46, label %262, label %261

261:
  br i1 %48, label %311, label %321

262:
  switch i64 %47, label %261 [
    i64 2, label %266
    i64 3, label %265
    i64 1, label %264
    i64 0, label %263
  ]

263:
  br i1 %48, label %300, label %321

264:
  br i1 %48, label %289, label %321

265:
  br i1 %48, label %278, label %321

266:
  br i1 %48, label %267, label %321

267:
  %268 = phi i64 [ %276, %267 ], [ 0, %266 ]
  %269 = getelementptr inbounds nuw i64, ptr %255, i64 %268
  %270 = load i64, ptr %269, align 8
  %271 = mul i64 %270, %9
  %272 = getelementptr inbounds i32, ptr %257, i64 %271
  %273 = load i32, ptr %272, align 4
  %274 = mul i64 %268, %9
  %275 = getelementptr inbounds i32, ptr %260, i64 %274
  store i32 %273, ptr %275, align 4
  %276 = add nuw nsw i64 %268, 1
  %277 = icmp eq i64 %276, %11
  br i1 %277, label %321, label %267

278:
  %279 = phi i64 [ %287, %278 ], [ 0, %265 ]
  %280 = getelementptr inbounds nuw i64, ptr %255, i64 %279
  %281 = load i64, ptr %280, align 8
  %282 = mul i64 %281, %9
  %283 = getelementptr inbounds i64, ptr %257, i64 %282
  %284 = load i64, ptr %283, align 8
  %285 = mul i64 %279, %9
  %286 = getelementptr inbounds i64, ptr %260, i64 %285
  store i64 %284, ptr %286, align 8
  %287 = add nuw nsw i64 %279, 1
  %288 = icmp eq i64 %287, %11
  br i1 %288, label %321, label %278

289:
  %290 = phi i64 [ %298, %289 ], [ 0, %264 ]
  %291 = getelementptr inbounds nuw i64, ptr %255, i64 %290
  %292 = load i64, ptr %291, align 8
  %293 = mul i64 %292, %9
  %294 = getelementptr inbounds i16, ptr %257, i64 %293
  %295 = load i16, ptr %294, align 2
  %296 = mul i64 %290, %9
  %297 = getelementptr inbounds i16, ptr %260, i64 %296
  store i16 %295, ptr %297, align 2
  %298 = add nuw nsw i64 %290, 1
  %299 = icmp eq i64 %298, %11
  br i1 %299, label %321, label %289

300:
  %301 = phi i64 [ %309, %300 ], [ 0, %263 ]
  %302 = getelementptr inbounds nuw i64, ptr %255, i64 %301
  %303 = load i64, ptr %302, align 8
  %304 = mul i64 %303, %9
  %305 = getelementptr inbounds i8, ptr %257, i64 %304
  %306 = load i8, ptr %305, align 1
  %307 = mul i64 %301, %9
  %308 = getelementptr inbounds i8, ptr %260, i64 %307
  store i8 %306, ptr %308, align 1
  %309 = add nuw nsw i64 %301, 1
  %310 = icmp eq i64 %309, %11
  br i1 %310, label %321, label %300

311:
  %312 = phi i64 [ %319, %311 ], [ 0, %261 ]
  %313 = mul i64 %312, %9
  %314 = getelementptr inbounds %struct.Pair, ptr %260, i64 %313
  %315 = getelementptr inbounds nuw i64, ptr %255, i64 %312
  %316 = load i64, ptr %315, align 8
  %317 = mul i64 %316, %9
  %318 = getelementptr inbounds %struct.Pair, ptr %257, i64 %317
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %314, ptr align 8 %318, i64 16, i1 false)
  %319 = add nuw nsw i64 %312, 1
  %320 = icmp eq i64 %319, %11
  br i1 %320, label %321, label %311

321:
  %322 = load i64, ptr %17, align 8
  %323 = icmp eq i64 %322, 0
  br i1 %323, label %346, label %324

324:
  %325 = load ptr, ptr %49, align 8
  %326 = mul i64 %322, %58
  %327 = getelementptr inbounds i8, ptr %325, i64 %326
  br i1 %48, label %328, label %346

328:
  %329 = mul i64 %322, %9
  br label %330

330:
  %331 = phi i64 [ 0, %328 ], [ %344, %343 ]
  %332 = mul i64 %329, %331
  %333 = getelementptr inbounds i8, ptr %327, i64 %332
  %334 = getelementptr inbounds nuw i64, ptr %255, i64 %331
  %335 = load i64, ptr %334, align 8
  switch i64 %322, label %341 [
    i64 4, label %336
    i64 8, label %338
    i64 2, label %339
  ]

336:
  %337 = trunc i64 %335 to i32
  store i32 %337, ptr %333, align 4
  br label %343

338:
  store i64 %335, ptr %333, align 8
  br label %343

339:
  %340 = trunc i64 %335 to i16
  store i16 %340, ptr %333, align 2
  br label %343

341:
  %342 = trunc i64 %335 to i8
  store i8 %342, ptr %333, align 1
  br label %343

343:
  %344 = add nuw nsw i64 %331, 1
  %345 = icmp eq i64 %344, %11
  br i1 %345, label %346, label %330

346:
  %347 = add nsw i64 %52, 1
  %348 = icmp eq i64 %347, %2
  br i1 %348, label %50, label %51
}

define internal fastcc void @insert(ptr %0, i64 %1, i64 %2) nounwind {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %7 = load ptr, ptr %6, align 8
  %8 = load i64, ptr %0, align 8
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = icmp eq i64 %8, %10
  br i1 %11, label %12, label %17

12:
  %13 = getelementptr i64, ptr %5, i64 %8
  %14 = getelementptr i8, ptr %13, i64 -8
  %15 = load i64, ptr %14, align 8
  %16 = icmp slt i64 %1, %15
  br i1 %16, label %17, label %42

17:
  %18 = icmp slt i64 %8, %10
  br i1 %18, label %19, label %21

19:
  %20 = add nsw i64 %8, 1
  store i64 %20, ptr %0, align 8
  br label %23

21:
  %22 = add i64 %10, -1
  br label %23

23:
  %24 = phi i64 [ %8, %19 ], [ %22, %21 ]
  %25 = icmp sgt i64 %24, 0
  br i1 %25, label %26, label %38

26:
  %27 = phi i64 [ %28, %32 ], [ %24, %23 ]
  %28 = add nsw i64 %27, -1
  %29 = getelementptr inbounds nuw i64, ptr %5, i64 %28
  %30 = load i64, ptr %29, align 8
  %31 = icmp sgt i64 %30, %1
  br i1 %31, label %32, label %38

32:
  %33 = getelementptr inbounds nuw i64, ptr %5, i64 %27
  store i64 %30, ptr %33, align 8
  %34 = getelementptr inbounds nuw i64, ptr %7, i64 %28
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds nuw i64, ptr %7, i64 %27
  store i64 %35, ptr %36, align 8
  %37 = icmp samesign ugt i64 %27, 1
  br i1 %37, label %26, label %38

38:
  %39 = phi i64 [ %24, %23 ], [ 0, %32 ], [ %27, %26 ]
  %40 = getelementptr inbounds i64, ptr %5, i64 %39
  store i64 %1, ptr %40, align 8
  %41 = getelementptr inbounds i64, ptr %7, i64 %39
  store i64 %2, ptr %41, align 8
  br label %42

42:
  ret void
}

declare i32 @llvm.cttz.i32(i32, i1)

define internal fastcc i32 @may_be_greater_int32_t(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = load i32, ptr %1, align 4
  %5 = load <32 x i32>, ptr %0, align 4
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, 2
  br i1 %8, label %9, label %27

9:
  %10 = icmp slt i32 %4, 0
  %11 = select i1 %10, i32 2147483647, i32 0
  %12 = xor i32 %11, %4
  %13 = icmp slt <32 x i32> %5, zeroinitializer
  %14 = select <32 x i1> %13, <32 x i32> splat (i32 2147483647), <32 x i32> zeroinitializer
  %15 = xor <32 x i32> %14, %5
  %16 = insertelement <32 x i32> poison, i32 %12, i64 0
  %17 = shufflevector <32 x i32> %16, <32 x i32> poison, <32 x i32> zeroinitializer
  %18 = icmp sgt <32 x i32> %15, %17
  %19 = and <32 x i32> %5, splat (i32 2147483647)
  %20 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = trunc i64 %21 to i32
  %23 = insertelement <32 x i32> poison, i32 %22, i64 0
  %24 = shufflevector <32 x i32> %23, <32 x i32> poison, <32 x i32> zeroinitializer
  %25 = icmp sgt <32 x i32> %19, %24
  %26 = or <32 x i1> %18, %25
  br label %37

27:
  %28 = icmp eq i64 %7, 1
  %29 = select i1 %28, i32 -2147483648, i32 0
  %30 = insertelement <32 x i32> poison, i32 %29, i64 0
  %31 = shufflevector <32 x i32> %30, <32 x i32> poison, <32 x i32> zeroinitializer
  %32 = xor <32 x i32> %31, %5
  %33 = xor i32 %29, %4
  %34 = insertelement <32 x i32> poison, i32 %33, i64 0
  %35 = shufflevector <32 x i32> %34, <32 x i32> poison, <32 x i32> zeroinitializer
  %36 = icmp sgt <32 x i32> %32, %35
  br label %37

37:
  %38 = phi <32 x i1> [ %26, %9 ], [ %36, %27 ]
  %39 = bitcast <32 x i1> %38 to i32
  ret i32 %39
}

define internal fastcc i32 @may_be_greater_int64_t(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = load i64, ptr %1, align 8
  %5 = load <32 x i64>, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, 2
  br i1 %8, label %9, label %26

9:
  %10 = icmp slt i64 %4, 0
  %11 = select i1 %10, i64 9223372036854775807, i64 0
  %12 = xor i64 %11, %4
  %13 = icmp slt <32 x i64> %5, zeroinitializer
  %14 = select <32 x i1> %13, <32 x i64> splat (i64 9223372036854775807), <32 x i64> zeroinitializer
  %15 = xor <32 x i64> %14, %5
  %16 = insertelement <32 x i64> poison, i64 %12, i64 0
  %17 = shufflevector <32 x i64> %16, <32 x i64> poison, <32 x i32> zeroinitializer
  %18 = icmp sgt <32 x i64> %15, %17
  %19 = and <32 x i64> %5, splat (i64 9223372036854775807)
  %20 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = insertelement <32 x i64> poison, i64 %21, i64 0
  %23 = shufflevector <32 x i64> %22, <32 x i64> poison, <32 x i32> zeroinitializer
  %24 = icmp sgt <32 x i64> %19, %23
  %25 = or <32 x i1> %18, %24
  br label %36

26:
  %27 = icmp eq i64 %7, 1
  %28 = select i1 %27, i64 -9223372036854775808, i64 0
  %29 = insertelement <32 x i64> poison, i64 %28, i64 0
  %30 = shufflevector <32 x i64> %29, <32 x i64> poison, <32 x i32> zeroinitializer
  %31 = xor <32 x i64> %30, %5
  %32 = xor i64 %28, %4
  %33 = insertelement <32 x i64> poison, i64 %32, i64 0
  %34 = shufflevector <32 x i64> %33, <32 x i64> poison, <32 x i32> zeroinitializer
  %35 = icmp sgt <32 x i64> %31, %34
  br label %36

36:
  %37 = phi <32 x i1> [ %25, %9 ], [ %35, %26 ]
  %38 = bitcast <32 x i1> %37 to i32
  ret i32 %38
}

define internal fastcc i32 @may_be_greater_int16_t(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = load i16, ptr %1, align 2
  %5 = load <32 x i16>, ptr %0, align 2
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, 2
  br i1 %8, label %9, label %27

9:
  %10 = icmp slt i16 %4, 0
  %11 = select i1 %10, i16 32767, i16 0
  %12 = xor i16 %11, %4
  %13 = icmp slt <32 x i16> %5, zeroinitializer
  %14 = select <32 x i1> %13, <32 x i16> splat (i16 32767), <32 x i16> zeroinitializer
  %15 = xor <32 x i16> %14, %5
  %16 = insertelement <32 x i16> poison, i16 %12, i64 0
  %17 = shufflevector <32 x i16> %16, <32 x i16> poison, <32 x i32> zeroinitializer
  %18 = icmp sgt <32 x i16> %15, %17
  %19 = and <32 x i16> %5, splat (i16 32767)
  %20 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = trunc i64 %21 to i16
  %23 = insertelement <32 x i16> poison, i16 %22, i64 0
  %24 = shufflevector <32 x i16> %23, <32 x i16> poison, <32 x i32> zeroinitializer
  %25 = icmp sgt <32 x i16> %19, %24
  %26 = or <32 x i1> %18, %25
  br label %37

27:
  %28 = icmp eq i64 %7, 1
  %29 = select i1 %28, i16 -32768, i16 0
  %30 = insertelement <32 x i16> poison, i16 %29, i64 0
  %31 = shufflevector <32 x i16> %30, <32 x i16> poison, <32 x i32> zeroinitializer
  %32 = xor <32 x i16> %31, %5
  %33 = xor i16 %29, %4
  %34 = insertelement <32 x i16> poison, i16 %33, i64 0
  %35 = shufflevector <32 x i16> %34, <32 x i16> poison, <32 x i32> zeroinitializer
  %36 = icmp sgt <32 x i16> %32, %35
  br label %37

37:
  %38 = phi <32 x i1> [ %26, %9 ], [ %36, %27 ]
  %39 = bitcast <32 x i1> %38 to i32
  ret i32 %39
}

define internal fastcc i32 @may_be_greater_int8_t(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = load i8, ptr %1, align 1
  %5 = load <32 x i8>, ptr %0, align 1
  %6 = getelementptr inbounds nuw i8, ptr %2, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, 2
  br i1 %8, label %9, label %27

9:
  %10 = icmp slt i8 %4, 0
  %11 = select i1 %10, i8 127, i8 0
  %12 = xor i8 %11, %4
  %13 = icmp slt <32 x i8> %5, zeroinitializer
  %14 = select <32 x i1> %13, <32 x i8> splat (i8 127), <32 x i8> zeroinitializer
  %15 = xor <32 x i8> %14, %5
  %16 = insertelement <32 x i8> poison, i8 %12, i64 0
  %17 = shufflevector <32 x i8> %16, <32 x i8> poison, <32 x i32> zeroinitializer
  %18 = icmp sgt <32 x i8> %15, %17
  %19 = and <32 x i8> %5, splat (i8 127)
  %20 = getelementptr inbounds nuw i8, ptr %2, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = trunc i64 %21 to i8
  %23 = insertelement <32 x i8> poison, i8 %22, i64 0
  %24 = shufflevector <32 x i8> %23, <32 x i8> poison, <32 x i32> zeroinitializer
  %25 = icmp sgt <32 x i8> %19, %24
  %26 = or <32 x i1> %18, %25
  br label %37

27:
  %28 = icmp eq i64 %7, 1
  %29 = select i1 %28, i8 -128, i8 0
  %30 = insertelement <32 x i8> poison, i8 %29, i64 0
  %31 = shufflevector <32 x i8> %30, <32 x i8> poison, <32 x i32> zeroinitializer
  %32 = xor <32 x i8> %31, %5
  %33 = xor i8 %29, %4
  %34 = insertelement <32 x i8> poison, i8 %33, i64 0
  %35 = shufflevector <32 x i8> %34, <32 x i8> poison, <32 x i32> zeroinitializer
  %36 = icmp sgt <32 x i8> %32, %35
  br label %37

37:
  %38 = phi <32 x i1> [ %26, %9 ], [ %36, %27 ]
  %39 = bitcast <32 x i1> %38 to i32
  ret i32 %39
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare i64 @llvm.ctpop.i64(i64)

declare i64 @llvm.cttz.i64(i64, i1)
